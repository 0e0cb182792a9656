"""Waiting, with a limit, for an effect of a submission. An effect that does not come is missing in the rows."""

import math
import time
from collections.abc import Callable

POLL_S = 0.01

_longest_s = math.inf


def limit_waits(longest_s: float | None) -> None:
    """Let each later wait of this process take at most `longest_s`; None removes the limit."""
    global _longest_s
    _longest_s = math.inf if longest_s is None else longest_s


def wait_until(
    ready: Callable[[], bool], patience_s: float, pause: Callable[[], None] = lambda: time.sleep(POLL_S)
) -> bool:
    """Wait until `ready()`, at most `patience_s`, with `pause()` between two polls. Return whether it became ready."""
    deadline = time.monotonic() + min(patience_s, _longest_s)
    while not ready():
        if time.monotonic() > deadline:
            return False
        pause()
    return True


class Patience:
    """Waits up to the given time until one wait has timed out; every later wait takes at most `later_s`.

    An effect that is missing in a case stays missing, and a case with many steps would otherwise wait at each of them.
    """

    def __init__(self, later_s: float) -> None:
        self._later_s = later_s
        self._has_timed_out = False

    def wait(self, ready: Callable[[], bool], patience_s: float) -> bool:
        """Wait until `ready()`, at most `patience_s`. Return whether it became ready."""
        is_ready = wait_until(ready, min(patience_s, self._later_s) if self._has_timed_out else patience_s)
        self._has_timed_out |= not is_ready
        return is_ready
