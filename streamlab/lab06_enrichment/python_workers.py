"""Kills Spark's Python workers on this machine with SIGKILL, between two jobs: their memory is lost.

Spark's daemon forks a worker for each task that runs at the same time, and keeps it for later tasks.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from streamlab.granted_time import own_deadline

DAEMONS = ("streamlab.spark.fast_start.workers", "pyspark.daemon")
LIMIT_S = 10.0


def python_workers() -> list[int]:
    """Return the process ids of the Python workers of this process's Spark; empty on a system without /proc."""
    parents = dict(_processes())
    daemons = {pid for pid in _below(os.getpid(), parents) if _is_daemon(pid)}
    return [pid for pid, parent in parents.items() if parent in daemons and pid not in _zombies(pid)]


def kill_python_workers() -> int:
    """Kill the running workers, wait until they are gone, and return their number.

    Call it while no job runs: a task that loses its worker fails, and local Spark does not repeat it. Raises
    TimeoutError if one does not go away.
    """
    workers = python_workers()
    for pid in workers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    deadline = own_deadline(LIMIT_S)
    while any(pid in workers for pid in python_workers()):
        if deadline.is_over:
            raise TimeoutError(f"expected Python workers {workers} to end within {LIMIT_S:.0f} s")
        time.sleep(0.01)
    return len(workers)


def _processes() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            yield int(folder.name), int(_status(int(folder.name))[1])


def _status(pid: int) -> list[str]:
    """Return state, parent and more; the name before them is in brackets and may contain spaces."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _zombies(pid: int) -> set[int]:
    try:
        return {pid} if _status(pid)[0] == "Z" else set()
    except (OSError, IndexError):
        return {pid}


def _below(root: int, parents: dict[int, int]) -> set[int]:
    """Return all descendants of a process."""
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def _is_daemon(pid: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False
    return any(each in DAEMONS for each in command)
