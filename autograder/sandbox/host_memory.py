"""Where the kernel limits no sandbox's memory: end the one that uses the machine's up before the kernel ends others.

Memory that no process is charged with (unread bytes of sockets, files in memory) shows in what the machine has left.
"""

from collections.abc import Callable

import psutil

from autograder.sandbox.memory_left import memory_left

MIB = 1024 * 1024
HOST_INTERVAL_S = 0.05
RESERVE_MB, RESERVE_SHARE = 512, 0.04


class HostMemory:
    """What the machine has left, against what it had when a sandbox began."""

    def __init__(self, limit_mb: int, left: Callable[[], int] = memory_left) -> None:
        self._limit_mb, self._left = limit_mb, left
        self._at_first_mb = left() // MIB
        self._reserve_mb = max(RESERVE_MB, int(psutil.virtual_memory().total // MIB * RESERVE_SHARE))

    def what_is_too_much(self) -> str | None:
        """None while there is enough; a sandbox that came after the memory was gone is not the first to end."""
        left_mb = self._left() // MIB
        has_used_it = self._at_first_mb - left_mb > self._limit_mb // 4
        if left_mb < self._reserve_mb // 2 or (left_mb < self._reserve_mb and has_used_it):
            return f"over the memory limit: {left_mb} MB were left on the whole machine"
        return None
