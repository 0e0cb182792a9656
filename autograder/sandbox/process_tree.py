"""Stop a process tree and verify that it stands still; otherwise it would slow the other side of a throughput check.

Stopping is repeated until nothing runs, since a process may fork between being listed and being stopped. A stopped
process can be made to go on (for example by a timer that sends SIGCONT), so `moved_since` checks afterwards: processor
time, how often each thread was scheduled, new processes, and ended ones. It does not see work that kernel threads do
for a stopped process.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

import psutil

STOP_S = 2.0
THREADS_STOP_S = 0.2
POLL_S = 0.002
ALLOWANCE_S = 0.05
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_STOPPED = frozenset("TtZX")
_ENDED = frozenset("ZX")
Key = tuple[int, int]


class StillRunning(Exception):
    """The tree could not be stopped; the text says how many processes ran on."""


@dataclass(frozen=True)
class ThreadSnapshot:
    """One thread: its state, and how often it was scheduled (0 if the kernel does not count that)."""

    state: str
    runs: int


@dataclass(frozen=True)
class ProcessSnapshot:
    """One process: its key (pid and the tick it started at), its state, its processor time in ticks, its threads."""

    key: Key
    state: str
    ticks: int
    threads: dict[int, ThreadSnapshot]

    @property
    def all_stopped(self) -> bool:
        """Whether all of its threads have stopped."""
        return all(thread.state in _STOPPED for thread in self.threads.values())

    def ran_since(self, before: "ProcessSnapshot") -> bool:
        """Return whether a thread that was stopped before has been scheduled since."""
        stood = {tid: thread.runs for tid, thread in before.threads.items() if thread.state in _STOPPED}
        return any(self.threads[tid].runs != runs for tid, runs in stood.items() if tid in self.threads)


def tree_of(pid: int) -> list[psutil.Process]:
    """Return the process and all its descendants, parents first; empty if the process is gone."""
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def stop_tree(pid: int, patience_s: float = STOP_S) -> list[ProcessSnapshot]:
    """Stop `pid` and all its descendants; return the stopped processes, or raise `StillRunning`."""
    for process in tree_of(pid):
        _stop(process.pid)
    began, before = time.monotonic(), list[ProcessSnapshot]()
    while True:
        snapshots = snapshot_tree(pid)
        running, elapsed_s = [each for each in snapshots if each.state not in _STOPPED], time.monotonic() - began
        threads_stopped = all(each.all_stopped for each in snapshots) or elapsed_s > THREADS_STOP_S
        if not running and threads_stopped and snapshots == before:
            return snapshots
        if elapsed_s > patience_s:
            raise StillRunning(f"{max(1, len(running))} of its processes could not be stopped")
        before = snapshots
        for each in running:
            _stop(each.key[0])
        time.sleep(POLL_S)


def _stop(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)


def moved_since(pid: int, stood: list[ProcessSnapshot]) -> str | None:
    """Return None if the tree has stood still since `stood`, otherwise what it did."""
    before, now = {each.key: each for each in stood}, snapshot_tree(pid)
    remaining = {each.key for each in now}
    new = [each for each in now if each.key not in before]
    ended = [each for each in stood if each.key not in remaining and each.state not in _ENDED]
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


def snapshot_tree(pid: int) -> list[ProcessSnapshot]:
    """Return a snapshot of every process of the tree that still exists."""
    return [snapshot for process in tree_of(pid) if (snapshot := _process_snapshot(process.pid)) is not None]


def _process_snapshot(pid: int) -> ProcessSnapshot | None:
    """Read /proc/PID/stat: state, start, and the ticks of the process and of its children that ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b") ")[2].split()
    except OSError:
        return None
    ticks = sum(int(each) for each in fields[11:15])
    return ProcessSnapshot((pid, int(fields[19])), fields[0].decode(), ticks, _threads_of(pid))


def _threads_of(pid: int) -> dict[int, ThreadSnapshot]:
    """Read /proc/PID/task: the threads that still exist."""
    threads = {}
    with suppress(OSError):
        for tid in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                threads[int(tid)] = _thread_snapshot(f"/proc/{pid}/task/{tid}")
    return threads


def _thread_snapshot(folder: str) -> ThreadSnapshot:
    with open(f"{folder}/stat", "rb") as stat:
        state = stat.read().rpartition(b") ")[2][:1].decode()
    try:
        with open(f"{folder}/schedstat", "rb") as counts:
            return ThreadSnapshot(state, int(counts.read().split()[2]))
    except (OSError, ValueError, IndexError):
        return ThreadSnapshot(state, 0)
