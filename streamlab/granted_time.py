"""Time as a group of processes gets it: seconds in which its threads waited for a core do not count.

On a busy machine a program gets a share of a core, and what takes a second elsewhere takes ten. A limit in granted
seconds is as generous there as on a quiet machine. It still ends: at the latest after `LONGEST` times as many seconds
of real time.

Linux counts for each thread how long it ran, and how long it was ready but had no core (/proc/PID/task/TID/schedstat).
Where a kernel does not count this, every second counts.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

LONGEST = 6.0
EVERY_S = 0.25  # between two looks at all threads, since one takes milliseconds
NS_PER_S = 1e9
Times = dict[tuple[int, str], tuple[int, int]]  # (process, thread) -> nanoseconds that it ran, and waited for a core


class GrantedClock:
    """Counts the granted seconds of the processes that `pids()` lists. Threads may share it."""

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self._pids, self._lock = pids, threading.Lock()
        self._at, self._granted_s = time.monotonic(), 0.0
        self._times: Times | None = None

    def __call__(self) -> float:
        """Return the seconds granted since this clock began; up to `EVERY_S` of the newest may be taken back."""
        with self._lock:
            elapsed_s = time.monotonic() - self._at
            if elapsed_s < EVERY_S:
                return self._granted_s + elapsed_s
            times = thread_times(self._pids())
            lost = lost_s(elapsed_s, self._times, times) if self._times is not None else 0.0
            self._granted_s += elapsed_s - lost
            self._at, self._times = self._at + elapsed_s, times
            return self._granted_s


def lost_s(elapsed_s: float, before: Times, after: Times) -> float:
    """Return for how many of the elapsed seconds the threads, taken together, were held up.

    Threads that are ready at the same time are held up together, so the share of waiting in their time is what counts.
    Example: in 2 s, a thread ran for 0.5 s and waited for 1.5 s -> 1.5; a second one like it changes nothing.
    """
    ran_s = waited_s = 0.0
    for key, (ran, waited) in after.items():
        ran_before, waited_before = before.get(key, (0, 0))
        ran_s += max(0, ran - ran_before) / NS_PER_S
        waited_s += max(0, waited - waited_before) / NS_PER_S
    return min(waited_s, elapsed_s * waited_s / (ran_s + waited_s)) if waited_s else 0.0


def thread_times(pids: Iterable[int]) -> Times:
    """Return the times of all threads of these processes that still exist."""
    found: Times = {}
    for pid in pids:
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError, ValueError):
                    with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as counts:
                        ran, waited, _ = counts.read().split()
                    found[pid, thread] = int(ran), int(waited)
    return found


def own_pids() -> list[int]:
    """Return this process and all processes that it has started."""
    own = psutil.Process()
    try:
        return [own.pid, *(child.pid for child in own.children(recursive=True))]
    except psutil.Error:
        return [own.pid]


class Deadline:
    """A limit of `limit_s` on `clock`, and of `LONGEST` times as many seconds of real time."""

    def __init__(self, limit_s: float, clock: Callable[[], float]) -> None:
        self.limit_s, self._clock = limit_s, clock
        self._end, self._at_the_latest = clock() + limit_s, time.monotonic() + LONGEST * limit_s

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return not self.left_s()

    def left_s(self) -> float:
        """Return how long to wait before the limit can be over; 0 once it is."""
        return max(0.0, min(self._end - self._clock(), self._at_the_latest - time.monotonic()))


def own_deadline(limit_s: float) -> Deadline:
    """Return a deadline in the time that this process and its children are granted."""
    return Deadline(limit_s, GrantedClock(own_pids))
