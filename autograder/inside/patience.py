"""Waiting, with a limit, for an effect of a submission. An effect that does not come is missing in the rows.

Limits are in granted seconds (`granted_time`), so a busy machine does not shorten them. `ran_out_s()` tells the judge
that a wait of this case ended without its effect, which a busy machine can cause in spite of that.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from streamlab.granted_time import LONGEST, own_deadline

POLL_S = 0.01

_longest_s = math.inf
_ran_out_s = 0.0


def limit_waits(longest_s: float | None) -> None:
    """Let each later wait of this process take at most `longest_s`; None removes the limit."""
    global _longest_s
    _longest_s = math.inf if longest_s is None else longest_s


def begin_case() -> None:
    """Forget the waits of the case before."""
    global _ran_out_s
    _ran_out_s = 0.0


def ran_out_s() -> float:
    """Return the limit of the longest wait of this case that ended without its effect; 0 if there was none."""
    return _ran_out_s


def gave_up(patience_s: float) -> None:
    """Note that a wait of `patience_s` ended without its effect."""
    global _ran_out_s
    _ran_out_s = max(_ran_out_s, patience_s)


@contextmanager
def patient(patience_s: float, error: type[Exception] = TimeoutError) -> Iterator[float]:
    """Give the block its limit for a call that waits by itself; note a wait that ended with `error`."""
    try:
        yield min(patience_s, _longest_s)
    except error:
        gave_up(patience_s)
        raise


def wait_until(
    ready: Callable[[], object], patience_s: float, pause: Callable[[], None] = lambda: time.sleep(POLL_S)
) -> bool:
    """Wait until `ready()`, at most `patience_s`, with `pause()` between two polls. Return whether it became ready."""
    deadline = own_deadline(min(patience_s, _longest_s))
    while not ready():
        if deadline.is_over:
            gave_up(patience_s)
            return False
        pause()
    return True


def at_the_latest_s(patience_s: float) -> float:
    """Return the limit, in real time, for a call that waits by itself and does not know granted seconds."""
    return min(patience_s, _longest_s) * LONGEST


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
