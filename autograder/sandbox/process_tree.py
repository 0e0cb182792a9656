"""Stop a process tree, and know that it stands still: one that runs on would slow down the other side of a throughput
check.

Stopping is repeated until nothing runs, since a process may fork between being listed and being stopped. What is
stopped can be made to go on (the kernel sends a SIGCONT that a timer was set up for), so whether it did is
asked again afterwards: by its time on the processor and by processes that are new. What it cannot see: work that
kernel threads do for a stopped process. Keeps out: what a throughput check makes of it.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

from autograder.sandbox.watchdog import tree_of

STOP_S = 2.0
LOOK_AGAIN_S = 0.002
ALLOWANCE_S = 0.05
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_STANDS = frozenset("TtZX")
Key = tuple[int, int]


class StillRunning(Exception):
    """The tree could not be stopped; the text says how many processes ran on."""


@dataclass(frozen=True)
class Look:
    """One process: who it is (pid and the tick it started at), its state, its ticks on the processor."""

    key: Key
    state: str
    ticks: int


def stop_tree(pid: int, patience_s: float = STOP_S) -> list[Look]:
    """Stop `pid` and all below it; gives what stands then, or raises `StillRunning`."""
    for process in tree_of(pid):
        _stop(process.pid)
    end, before = time.monotonic() + patience_s, frozenset[Key]()
    while True:
        looks = look_at_tree(pid)
        running, now = [each for each in looks if each.state not in _STANDS], frozenset(each.key for each in looks)
        if not running and now == before:
            return looks
        if time.monotonic() > end:
            raise StillRunning(f"{max(1, len(running))} of its processes could not be stopped")
        before = frozenset() if running else now
        for each in running:
            _stop(each.key[0])
        time.sleep(LOOK_AGAIN_S)


def _stop(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)


def moved_since(pid: int, stood: list[Look]) -> str | None:
    """None where the tree stood still since then; else what it did."""
    ticks = {each.key: each.ticks for each in stood}
    now = look_at_tree(pid)
    new = [each for each in now if each.key not in ticks]
    used_s = sum(each.ticks - ticks.get(each.key, 0) for each in now) / _TICKS_PER_S
    if new:
        return f"it started {len(new)} processes while it was stopped"
    if used_s > ALLOWANCE_S:
        return f"it used {used_s:.1f} s of processor time while it was stopped"
    return None


def look_at_tree(pid: int) -> list[Look]:
    """Every process of the tree that is still there."""
    return [look for process in tree_of(pid) if (look := _look_at(process.pid)) is not None]


def _look_at(pid: int) -> Look | None:
    """From /proc/PID/stat: state, ticks of its own and of its children that ended, start."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b") ")[2].split()
    except OSError:
        return None
    return Look((pid, int(fields[19])), fields[0].decode(), sum(int(each) for each in fields[11:15]))
