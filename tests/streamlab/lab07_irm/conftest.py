"""Fixtures for the tests of real workers and engines."""

import os
import time
import uuid
from collections.abc import Callable, Iterator

import psutil
import pytest

from streamlab.lab07_irm.frames import connected

LIMIT_S = 30.0
MARK = "STREAMLAB_TEST_OF_HARMONIC"
Until = Callable[[Callable[[], bool]], bool]


def need_scikit_image() -> None:
    """Outside CI, skip the tests if the package is not installed."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("skimage", reason="scikit-image is in requirements-lab07_irm.lock")


def answers(address: tuple[str, int]) -> bool:
    try:
        connected(address).close()
    except OSError:
        return False
    return True


@pytest.fixture
def until() -> Until:
    """Return a function that waits for a condition until a deadline, and returns whether it holds."""

    def wait(condition: Callable[[], bool]) -> bool:
        deadline_s = time.monotonic() + LIMIT_S
        while not condition() and time.monotonic() < deadline_s:
            time.sleep(0.01)
        return condition()

    return wait


@pytest.fixture
def started_here(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """Return a function that lists the running processes that this test started, orphans included."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)

    def marked() -> Iterator[int]:
        for process in psutil.process_iter():
            try:
                if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                    yield process.pid
            except psutil.Error:  # it has ended, or belongs to another user
                continue

    return lambda: list(marked())
