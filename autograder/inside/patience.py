"""Waiting for what a submission should bring about, but not for ever: what is missing then is missing in the rows."""

import time
from collections.abc import Callable

LOOK_S = 0.01


def wait_until(
    ready: Callable[[], bool], patience_s: float, pause: Callable[[], None] = lambda: time.sleep(LOOK_S)
) -> bool:
    """Wait until something is so, at most `patience_s`, with `pause()` between two looks. Returns whether it came."""
    deadline = time.monotonic() + patience_s
    while not ready():
        if time.monotonic() > deadline:
            return False
        pause()
    return True


class Patience:
    """Waits as long as it is told until something has not come; from then on for `later_s` at most.

    What is missing in a case stays missing, and a case with many steps would else take its patience for each of them.
    """

    def __init__(self, later_s: float) -> None:
        self._later_s = later_s
        self._is_lost = False

    def wait(self, ready: Callable[[], bool], patience_s: float) -> bool:
        """Wait until something is so. Returns whether it came."""
        came = wait_until(ready, min(patience_s, self._later_s) if self._is_lost else patience_s)
        self._is_lost |= not came
        return came
