"""Detect a sandbox that uses up the machine's memory, where the kernel does not limit each sandbox.

The sandbox is ended before the kernel ends other programs. The machine's available memory also reflects memory that no
process is charged for (unread bytes of sockets, files in memory).
"""

from collections.abc import Callable

import psutil

from autograder.sandbox.memory_left import containers_limit, memory_left

MIB = 1024 * 1024
HOST_INTERVAL_S = 0.05
RESERVE_MB, RESERVE_IN_CONTAINER_MB, RESERVE_SHARE = 512, 128, 0.04


def reserve_mb(machine: int, container: int | None) -> int:
    """Return the MB to keep free, for the bytes of memory of the machine and, where there is one, a container's limit.

    Other programs share a machine; a container has only the judge.
    """
    if container is None or container >= machine:
        return max(RESERVE_MB, int(machine // MIB * RESERVE_SHARE))
    return max(RESERVE_IN_CONTAINER_MB, int(container // MIB * RESERVE_SHARE))


class HostMemory:
    """The machine's available memory, compared with that at the start of a sandbox."""

    def __init__(self, limit_mb: int, left: Callable[[], int] = memory_left) -> None:
        self._limit_mb, self._left = limit_mb, left
        self._at_first_mb = left() // MIB
        self._reserve_mb = reserve_mb(psutil.virtual_memory().total, containers_limit())

    def exceeded_limit(self) -> str | None:
        """Return None while enough memory is available, otherwise the cause to end the sandbox.

        A sandbox that started when memory was already low is not the first to end.
        """
        left_mb = self._left() // MIB
        has_used_it = self._at_first_mb - left_mb > self._limit_mb // 4
        if left_mb < self._reserve_mb // 2 or (left_mb < self._reserve_mb and has_used_it):
            return f"over the memory limit: {left_mb} MB were left on the whole machine"
        return None
