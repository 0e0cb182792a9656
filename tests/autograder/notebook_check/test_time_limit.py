"""A case that takes too long is stopped at any line; until then the cell is notified every second."""

import threading
import time

import pytest

from autograder.notebook_check import time_limit
from autograder.notebook_check.time_limit import OutOfTime, TimeLimit

SWALLOWS = "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass\n"


@pytest.fixture(autouse=True)
def short_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "EVERY_S", 0.02)


def test_a_loop_that_catches_every_exception_is_stopped_at_its_line() -> None:
    limit = TimeLimit(0.05, lambda: None)

    with pytest.raises(OutOfTime) as stopped, limit.running(), limit.one_case():
        exec(compile(SWALLOWS, "<words>", "exec"), {})

    assert stopped.value.line in (3, 4)


def test_a_case_that_waits_for_a_lock_is_stopped() -> None:
    limit, never = TimeLimit(0.05, lambda: None), threading.Event()

    with pytest.raises(OutOfTime) as stopped, limit.running(), limit.one_case():
        never.wait(60)

    assert stopped.value.line == 0


def test_the_cell_is_notified_every_second_and_nothing_stops_before_the_limit() -> None:
    ticks: list[float] = []
    limit = TimeLimit(60.0, lambda: ticks.append(time.monotonic()))

    with limit.running(), limit.one_case():
        deadline = time.monotonic() + 5
        while len(ticks) < 2 and time.monotonic() < deadline:
            pass
    counted = len(ticks)
    time.sleep(0.1)

    assert counted >= 2
    assert len(ticks) == counted, "the alarm continues after the block"
