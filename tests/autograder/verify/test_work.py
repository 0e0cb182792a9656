"""Orders are driven side by side, plain ones first, and with those that become necessary on the way."""

import threading
from typing import Any, ClassVar

import pytest

from autograder.verify import work
from autograder.verify.warm_sandbox import Version
from autograder.verify.work import Order, Sandboxes


class Driving:
    """In place of a warm sandbox: notes what is driven; what is one "of two" waits for the other one."""

    driven: ClassVar[list[str]] = []
    meeting = threading.Barrier(2)

    def __init__(self, setting: Any) -> None:
        self.opened = 1

    def drive(self, version: Version) -> str:
        if version.code.endswith("of two"):
            self.meeting.wait(30)
        self.driven.append(version.code)
        if version.code == "fault":
            raise RuntimeError(version.code)
        return version.code

    def close(self) -> None:
        pass


@pytest.fixture
def driving(monkeypatch: pytest.MonkeyPatch) -> type[Driving]:
    monkeypatch.setattr(work, "WarmSandbox", Driving)
    monkeypatch.setattr(Driving, "driven", [])
    return Driving


def order(name: str, seconds: float = 0.0, **more: Any) -> Order:
    given = {"done": lambda driven: None, "is_plain": False} | more
    return Order("part", Version(name, []), seconds=seconds, **given)


def carry_out(orders: list[Order], count: int) -> None:
    setting: Any = None
    with Sandboxes(setting, count) as sandboxes:
        sandboxes.carry_out(orders)


def test_plain_ones_come_first_then_what_others_wait_for_then_the_longest(driving: type[Driving]) -> None:
    orders = [order("short", 1.0), order("long", 9.0), order("frees", 0.1, frees_others=True)]

    carry_out([*orders, order("plain", is_plain=True)], 1)

    assert driving.driven == ["plain", "frees", "long", "short"]


def test_a_sandbox_without_work_waits_for_what_another_may_add(driving: type[Driving]) -> None:
    """Two orders that come from the first wait for each other, so both sandboxes are needed for them."""
    further = [order("one of two"), order("other of two")]

    carry_out([order("first", done=lambda driven: further)], 2)

    assert sorted(driving.driven) == ["first", "one of two", "other of two"]


def test_a_fault_ends_the_work_of_all(driving: type[Driving]) -> None:
    with pytest.raises(RuntimeError, match="fault"):
        carry_out([order("fault", 9.0), *[order("later") for _ in range(50)]], 2)

    assert len(driving.driven) < 51
