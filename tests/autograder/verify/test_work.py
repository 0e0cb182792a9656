"""Orders are driven in parallel, plain ones first, and may add further orders."""

import threading
from typing import Any, ClassVar

import pytest

from autograder.verify import work
from autograder.verify.warm_sandbox import Version
from autograder.verify.work import Order, Sandboxes


class FakeSandbox:
    """A test double for a warm sandbox: records what is driven; an order "of two" waits for the other one."""

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
def fake_sandbox(monkeypatch: pytest.MonkeyPatch) -> type[FakeSandbox]:
    monkeypatch.setattr(work, "WarmSandbox", FakeSandbox)
    monkeypatch.setattr(FakeSandbox, "driven", [])
    return FakeSandbox


def order(name: str, seconds: float = 0.0, **more: Any) -> Order:
    defaults = {"done": lambda driven: None, "is_plain": False} | more
    return Order("part", Version(name, []), seconds=seconds, **defaults)


def carry_out(orders: list[Order], count: int) -> None:
    setting: Any = None
    with Sandboxes(setting, count) as sandboxes:
        sandboxes.carry_out(orders)


def test_plain_orders_come_first_then_those_that_free_others_then_the_longest(fake_sandbox: type[FakeSandbox]) -> None:
    orders = [order("short", 1.0), order("long", 9.0), order("frees", 0.1, frees_others=True)]

    carry_out([*orders, order("plain", is_plain=True)], 1)

    assert fake_sandbox.driven == ["plain", "frees", "long", "short"]


def test_a_sandbox_without_work_waits_for_orders_that_another_may_add(fake_sandbox: type[FakeSandbox]) -> None:
    """Two orders that the first one adds wait for each other, so they need both sandboxes."""
    further = [order("one of two"), order("other of two")]

    carry_out([order("first", done=lambda driven: further)], 2)

    assert sorted(fake_sandbox.driven) == ["first", "one of two", "other of two"]


def test_a_fault_ends_the_work_of_all_sandboxes(fake_sandbox: type[FakeSandbox]) -> None:
    with pytest.raises(RuntimeError, match="fault"):
        carry_out([order("fault", 9.0), *[order("later") for _ in range(50)]], 2)

    assert len(fake_sandbox.driven) < 51
