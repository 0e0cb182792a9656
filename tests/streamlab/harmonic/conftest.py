"""What tests of real workers and engines share."""

import os
import time
import uuid
from collections.abc import Callable, Iterator

import psutil
import pytest

LIMIT_S = 30.0
MARK = "STREAMLAB_TEST_OF_HARMONIC"
Until = Callable[[Callable[[], bool]], bool]


@pytest.fixture
def until() -> Until:
    """Waits until something is so, with a deadline; returns whether it is."""

    def wait(is_so: Callable[[], bool]) -> bool:
        deadline_s = time.monotonic() + LIMIT_S
        while not is_so() and time.monotonic() < deadline_s:
            time.sleep(0.01)
        return is_so()

    return wait


@pytest.fixture
def started_here(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """Asks for the processes that this test has started and that run, orphans included."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)

    def marked() -> Iterator[int]:
        for process in psutil.process_iter():
            try:
                if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                    yield process.pid
            except psutil.Error:  # it has ended, or is not ours
                continue

    return lambda: list(marked())
