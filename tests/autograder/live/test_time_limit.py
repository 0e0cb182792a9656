"""A case that takes too long is stopped, wherever it is; the cell hears a second pass until then."""

import threading
import time

import pytest

from autograder.live import time_limit
from autograder.live.time_limit import OutOfTime, TimeLimit

SWALLOWS = "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "EVERY_S", 0.02)


def test_a_loop_is_stopped_at_its_line_although_it_catches_every_exception() -> None:
    limit = TimeLimit(0.05, lambda: None)

    with pytest.raises(OutOfTime) as stopped, limit.running(), limit.one_case():
        exec(compile(SWALLOWS, "<words>", "exec"), {})

    assert stopped.value.line in (3, 4)


def test_waiting_for_something_else_is_stopped_too() -> None:
    limit, never = TimeLimit(0.05, lambda: None), threading.Event()

    with pytest.raises(OutOfTime) as stopped, limit.running(), limit.one_case():
        never.wait(60)

    assert stopped.value.line == 0


def test_seconds_are_told_and_nothing_is_stopped_before_the_limit() -> None:
    told: list[float] = []
    limit = TimeLimit(60.0, lambda: told.append(time.monotonic()))

    with limit.running(), limit.one_case():
        deadline = time.monotonic() + 5
        while len(told) < 2 and time.monotonic() < deadline:
            pass
    counted = len(told)
    time.sleep(0.1)

    assert counted >= 2
    assert len(told) == counted, "the alarm goes on after the block"
