"""Watch a process tree: memory of all its processes, their number, the wall clock.

Memory is the sum of resident sets, and only where that is too much the exact proportional sum:
resident sets count pages that forked workers share once for each.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil

from autograder.course import Limits
from autograder.sandbox.box import WRITABLE_MB
from autograder.sandbox.host_memory import HOST_INTERVAL_S, HostMemory

if TYPE_CHECKING:
    from autograder.sandbox.handles import Hold

INTERVAL_S = 0.25
INODES_MAX = 200_000


class Watch:
    """A thread that looks every quarter of a second and calls `too_much(cause)` once.

    `watch_host`: more often, it looks at what is left of the machine's memory, too.
    """

    def __init__(
        self, hold: "Hold", limits: Limits, too_much: Callable[[str], None], *, watch_host: bool = False
    ) -> None:
        self.peak_mb = 0
        self._hold, self._limits, self._too_much = hold, limits, too_much
        self._host = HostMemory(limits.memory_mb) if watch_host else None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        end = time.monotonic() + self._limits.wall_s
        look_at = time.monotonic()
        while not self._over.wait(HOST_INTERVAL_S if self._host else INTERVAL_S):
            cause = self._host.what_is_too_much() if self._host else None
            if not cause and time.monotonic() >= look_at:
                cause, look_at = self._what_is_too_much(), time.monotonic() + INTERVAL_S
            if time.monotonic() > end:
                cause = f"over the time limit of {self._limits.wall_s:g} s for the whole notebook"
            if cause:
                self._too_much(cause)
                return

    def _what_is_too_much(self) -> str | None:
        if cause := self._hold.over_a_limit():
            return cause
        tree = self._hold.processes()
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
    """Files in the folders of memory that the process sees in the place of this machine's own: each costs the kernel
    memory, an empty one, too."""
    count = 0
    for path in WRITABLE_MB:
        with suppress(OSError):
            inside = f"/proc/{pid}/root{path}"
            if not os.path.exists(path) or os.stat(inside).st_dev != os.stat(path).st_dev:
                found = os.statvfs(inside)
                count += found.f_files - found.f_ffree
    return count


def tree_of(pid: int) -> list[psutil.Process]:
    """The process and all its descendants, parents first; empty when it is gone."""
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _proportional_kib(pid: int) -> int:
    """The resident set where the exact figure is another user's secret, as a container's is to who is not root."""
    return _kib(pid, "smaps_rollup", b"Pss:") or _kib(pid, "status", b"VmRSS:")


def _kib(pid: int, file: str, key: bytes) -> int:
    try:
        with open(f"/proc/{pid}/{file}", "rb") as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith(key)), 0)
    except (OSError, ValueError):
        return 0
