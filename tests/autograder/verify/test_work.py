"""Orders are driven in parallel, plain ones first, and may add further orders; Ctrl-C ends them."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest

from autograder.course import Limits
from autograder.inside import load_drives
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.stop import Stopped
from autograder.verify import work
from autograder.verify.warm_sandbox import Interest, Setting, Version, WarmSandbox
from autograder.verify.work import Order, Sandboxes
from streamlab.experiments.waiting import wait_until
from streamlab.notebooks.labfile import read_lab
from tests.autograder.verify.small_lab import LAB


class InterruptedPool(ThreadPoolExecutor):
    """A pool whose results raise KeyboardInterrupt once Ctrl-C has been pressed.

    It replaces a real SIGINT, which once ended pytest's own worker on a busy machine.
    """

    pressed: ClassVar[threading.Event]

    def submit(self, *call: Any, **keywords: Any) -> Any:
        super().submit(*call, **keywords)
        return self

    def result(self) -> None:
        assert self.pressed.wait(30)
        raise KeyboardInterrupt


@pytest.fixture
def press_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that any thread may call, like a user who presses Ctrl-C."""
    monkeypatch.setattr(InterruptedPool, "pressed", threading.Event(), raising=False)
    monkeypatch.setattr(work, "ThreadPoolExecutor", InterruptedPool)
    return InterruptedPool.pressed.set


class FakeSandbox:
    """A test double for a warm sandbox: records what is driven.

    An order "of two" waits for the other one, "after fault" for the end of "fault", "Ctrl-C" presses it, and "until
    stopped" waits for `stop`.
    """

    driven: ClassVar[list[str]] = []
    meeting = threading.Barrier(2)
    stopped: ClassVar[threading.Event]
    end_of_fault: ClassVar[Callable[[], bool]]

    def __init__(self, setting: Any) -> None:
        self.opened = 1

    def drive(self, version: Version) -> str:
        if version.code.endswith("of two"):
            self.meeting.wait(30)
        if version.code == "after fault":
            wait_until(type(self).end_of_fault, "the fault has not ended")
        if version.code == "Ctrl-C":
            InterruptedPool.pressed.set()
        if version.code in ("Ctrl-C", "until stopped") and self.stopped.wait(30):
            raise Stopped
        self.driven.append(version.code)
        if version.code == "fault":
            raise RuntimeError(version.code)
        return version.code

    def stop(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        pass


@pytest.fixture
def fake_sandbox(monkeypatch: pytest.MonkeyPatch) -> type[FakeSandbox]:
    monkeypatch.setattr(work, "WarmSandbox", FakeSandbox)
    monkeypatch.setattr(FakeSandbox, "driven", [])
    monkeypatch.setattr(FakeSandbox, "stopped", threading.Event(), raising=False)
    return FakeSandbox


def order(name: str, seconds: float = 0.0, **more: Any) -> Order:
    defaults = {"part": "part", "done": lambda driven: None, "is_plain": False} | more
    return Order(version=Version(name, []), seconds=seconds, **defaults)


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


def test_a_fault_ends_the_work_of_all_sandboxes(
    fake_sandbox: type[FakeSandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    setting: Any = None
    orders = [order("after fault", 9.0), order("fault", 8.0, part="fault"), *[order("later") for _ in range(50)]]
    with Sandboxes(setting, 2) as sandboxes:
        monkeypatch.setattr(fake_sandbox, "end_of_fault", lambda: "fault" in sandboxes.seconds, raising=False)
        with pytest.raises(RuntimeError, match="fault"):
            sandboxes.carry_out(orders)

    assert fake_sandbox.driven == ["fault", "after fault"]


def test_ctrl_c_stops_all_sandboxes_and_drops_the_orders_that_are_left(
    fake_sandbox: type[FakeSandbox], press_ctrl_c: Callable[[], None]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        carry_out([order("until stopped", 9.0), order("Ctrl-C", 8.0), *[order("later") for _ in range(50)]], 2)

    assert fake_sandbox.driven == []


def test_an_order_that_ends_after_ctrl_c_does_not_start_the_orders_that_it_adds(
    fake_sandbox: type[FakeSandbox], press_ctrl_c: Callable[[], None]
) -> None:
    def done(driven: object) -> list[Order]:
        press_ctrl_c()
        fake_sandbox.stopped.wait(30)
        return [order("further")]

    with pytest.raises(KeyboardInterrupt):
        carry_out([order("first", done=done)], 1)

    assert fake_sandbox.driven == ["first"]


class Begun(Interest):
    """Wants all cases, and sets an event when the first one begins."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def wants(self, case: NumberedCase) -> bool:
        self.event.set()
        return True


@pytest.fixture
def stoppable(kit: Path) -> Iterator[WarmSandbox]:
    load_drives(LAB)
    limits = Limits(wall_s=200, load_s=100, case_s=100, memory_mb=1500, output_mb=1, processes=200)
    cells = read_lab(kit / f"solutions/{LAB}/{LAB}.py").cells
    sandbox = WarmSandbox(Setting("process", kit, LAB, cells, limits, share_s=100))
    yield sandbox
    sandbox.close()


@pytest.mark.parametrize("before", [[], ["def halve(number):\n    return 1"]], ids=["new", "used"])
def test_a_stopped_sandbox_ends_its_running_case_and_does_not_open_again(
    stoppable: WarmSandbox, before: list[str]
) -> None:
    begun, jobs = Begun(), [Job("halve", [NumberedCase(1, {"number": 4}), NumberedCase(2, {"number": 6})])]
    with ThreadPoolExecutor(1) as pool:
        for code in before:
            pool.submit(stoppable.drive, Version(code, jobs)).result()
        hangs = "import time\ndef halve(number):\n    time.sleep(90)"
        driven = pool.submit(stoppable.drive, Version(hangs, jobs, interest=begun))
        assert begun.event.wait(60)

        stoppable.stop()

        with pytest.raises(Stopped):
            driven.result(30)
    assert stoppable.opened == 1
