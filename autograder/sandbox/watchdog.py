"""Watch a process tree: the memory of all its processes, their number, the time of the whole submission.

Memory is the sum of resident sets, which count a shared page of forked workers once for each of them. Only if that sum
is too high, the exact proportional sum is read.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from autograder.course import Limits
from autograder.sandbox.box import WRITABLE_MB
from autograder.sandbox.host_memory import HOST_INTERVAL_S, HostMemory
from streamlab.granted_time import Deadline

if TYPE_CHECKING:
    from autograder.sandbox.handles import Handle

INTERVAL_S = 0.25
OVER_TIME = "over the time limit"
INODES_MAX = 200_000


class Watch:
    """A thread that checks the limits every `INTERVAL_S` and calls `on_limit(cause)` at most once.

    With `watch_host`, it also checks the machine's available memory, every `HOST_INTERVAL_S`.
    """

    def __init__(
        self,
        handle: "Handle",
        limits: Limits,
        until: Deadline,
        on_limit: Callable[[str], None],
        *,
        watch_host: bool = False,
    ) -> None:
        self.peak_mb, self._until = 0, until
        self._handle, self._limits, self._on_limit = handle, limits, on_limit
        self._host = HostMemory(limits.memory_mb) if watch_host else None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        next_check = time.monotonic()
        while not self._over.wait(HOST_INTERVAL_S if self._host else INTERVAL_S):
            cause = self._host.exceeded_limit() if self._host else None
            if not cause and time.monotonic() >= next_check:
                cause, next_check = self._exceeded_limit(), time.monotonic() + INTERVAL_S
            if not cause and not self._until.left_s():
                cause = f"{OVER_TIME} of {self._until.limit_s:g} s for the whole notebook"
            if cause:
                self._on_limit(cause)
                return

    def _exceeded_limit(self) -> str | None:
        if cause := self._handle.exceeded_limit():
            return cause
        tree = self._handle.processes()
        used_mb = sum(_kib(each.pid, "status", b"VmRSS:") for each in tree) // 1024
        if used_mb > self._limits.memory_mb or used_mb > self.peak_mb:
            used_mb = sum(_proportional_kib(each.pid) for each in tree) // 1024
        self.peak_mb = max(self.peak_mb, used_mb)
        if used_mb > self._limits.memory_mb:
            return f"over the memory limit: {used_mb} MB of {self._limits.memory_mb} MB"
        if len(tree) > self._limits.processes:
            return f"over {self._limits.processes} processes"
        if tree and inodes_of(tree[-1].pid) > INODES_MAX:
            return f"over {INODES_MAX} files"
        return None

    def stop(self) -> None:
        """End the thread."""
        self._over.set()
        self._thread.join(5)


def inodes_of(pid: int) -> int:
    """Return the number of files in the process's in-memory folders; even an empty file costs the kernel memory.

    A folder that is this machine's own does not count.
    """
    count = 0
    for path in WRITABLE_MB:
        with suppress(OSError):
            inside = f"/proc/{pid}/root{path}"
            if not os.path.exists(path) or os.stat(inside).st_dev != os.stat(path).st_dev:
                found = os.statvfs(inside)
                count += found.f_files - found.f_ffree
    return count


def _proportional_kib(pid: int) -> int:
    """Return the proportional set size, or the resident set if only root may read the exact figure (a container's)."""
    return _kib(pid, "smaps_rollup", b"Pss:") or _kib(pid, "status", b"VmRSS:")


def _kib(pid: int, file: str, key: bytes) -> int:
    try:
        with open(f"/proc/{pid}/{file}", "rb") as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith(key)), 0)
    except (OSError, ValueError):
        return 0
