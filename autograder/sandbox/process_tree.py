"""Stop a process tree, and know that it stands still: one that runs on would slow down the other side of a throughput
check.

Stopping is repeated until nothing runs, since a process may fork between being listed and being stopped. What is
stopped can be made to go on (the kernel sends a SIGCONT that a timer was set up for), so whether it did is
asked again afterwards: by its time on the processor, by how often its threads were given one, by processes that are
new and by those that ended. What it cannot see: work that kernel threads do for a stopped process. Keeps out: what a
throughput check makes of it.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

from autograder.sandbox.watchdog import tree_of

STOP_S = 2.0
THREADS_STOP_S = 0.2
LOOK_AGAIN_S = 0.002
ALLOWANCE_S = 0.05
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_STANDS = frozenset("TtZX")
_ENDED = frozenset("ZX")
Key = tuple[int, int]


class StillRunning(Exception):
    """The tree could not be stopped; the text says how many processes ran on."""


@dataclass(frozen=True)
class ThreadLook:
    """One thread: its state, and how often it was given a processor (0 where the kernel does not count)."""

    state: str
    runs: int


@dataclass(frozen=True)
class Look:
    """One process: who it is (pid and the tick it started at), its state, its ticks on the processor, its threads."""

    key: Key
    state: str
    ticks: int
    threads: dict[int, ThreadLook]

    @property
    def all_stand(self) -> bool:
        """Whether none of its threads is on its way to the stop."""
        return all(thread.state in _STANDS for thread in self.threads.values())

    def ran_since(self, before: "Look") -> bool:
        """Whether a thread that stood before was given a processor."""
        stood = {tid: thread.runs for tid, thread in before.threads.items() if thread.state in _STANDS}
        return any(self.threads[tid].runs != runs for tid, runs in stood.items() if tid in self.threads)


def stop_tree(pid: int, patience_s: float = STOP_S) -> list[Look]:
    """Stop `pid` and all below it; gives what stands then, or raises `StillRunning`."""
    for process in tree_of(pid):
        _stop(process.pid)
    began, before = time.monotonic(), list[Look]()
    while True:
        looks = look_at_tree(pid)
        running, elapsed_s = [each for each in looks if each.state not in _STANDS], time.monotonic() - began
        threads_stand = all(each.all_stand for each in looks) or elapsed_s > THREADS_STOP_S
        if not running and threads_stand and looks == before:
            return looks
        if elapsed_s > patience_s:
            raise StillRunning(f"{max(1, len(running))} of its processes could not be stopped")
        before = looks
        for each in running:
            _stop(each.key[0])
        time.sleep(LOOK_AGAIN_S)


def _stop(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)


def moved_since(pid: int, stood: list[Look]) -> str | None:
    """None where the tree stood still since then; else what it did."""
    before, now = {each.key: each for each in stood}, look_at_tree(pid)
    there = {each.key for each in now}
    new = [each for each in now if each.key not in before]
    ended = [each for each in stood if each.key not in there and each.state not in _ENDED]
    used_s = sum(each.ticks - before[each.key].ticks for each in now if each.key in before) / _TICKS_PER_S
    if new:
        return f"it started {len(new)} processes while it was stopped"
    if ended:
        return f"{len(ended)} of its processes ended while it was stopped"
    if used_s > ALLOWANCE_S:
        return f"it used {used_s:.1f} s of processor time while it was stopped"
    if any(each.ran_since(before[each.key]) for each in now):
        return "it ran while it was stopped"
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
    ticks = sum(int(each) for each in fields[11:15])
    return Look((pid, int(fields[19])), fields[0].decode(), ticks, _threads_of(pid))


def _threads_of(pid: int) -> dict[int, ThreadLook]:
    """From /proc/PID/task: what of it is still there."""
    threads = {}
    with suppress(OSError):
        for tid in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                threads[int(tid)] = _look_at_thread(f"/proc/{pid}/task/{tid}")
    return threads


def _look_at_thread(place: str) -> ThreadLook:
    with open(f"{place}/stat", "rb") as stat:
        state = stat.read().rpartition(b") ")[2][:1].decode()
    try:
        with open(f"{place}/schedstat", "rb") as counts:
            return ThreadLook(state, int(counts.read().split()[2]))
    except (OSError, ValueError, IndexError):
        return ThreadLook(state, 0)
