"""The memory that is still available here, also in a container or a limited service.

There, the system's own figures describe the whole machine.
"""

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from autograder.sandbox.own_groups import own_groups

CONTAINER = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory"))
FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))


def memory_left() -> int:
    """Return the bytes that are still available: on the machine and in the control groups of this process."""
    return min(psutil.virtual_memory().available, left_in_groups((*own_groups(), *CONTAINER)))


def containers_limit(groups: Iterable[Path] = CONTAINER) -> int | None:
    """Return the memory limit of the container in bytes; None outside of one, and in one without a limit.

    Version 1 of control groups writes a huge number for no limit.
    """
    for group in groups:
        for limit, _ in FILES:
            with suppress(OSError, ValueError):
                return int((group / limit).read_text())
    return None


def left_in_groups(groups: Iterable[Path]) -> int:
    """Return the bytes until the first limit of these control groups; `sys.maxsize` if none is limited.

    The kernel counts cached files as used memory; inactive ones are left out here, as in `docker stats`.
    """
    return min((_left(each) for each in groups), default=sys.maxsize)


def _left(group: Path) -> int:
    for limit, used in FILES:
        with suppress(OSError, ValueError):  # another version, or no limit ("max")
            left = int((group / limit).read_text()) - int((group / used).read_text())
            return max(0, left + _inactive_file_bytes(group / "memory.stat"))
    return sys.maxsize


def _inactive_file_bytes(stat: Path) -> int:
    """Return the bytes of cached files that the kernel reclaims when memory is needed."""
    with suppress(OSError):
        counters = dict(line.split() for line in stat.read_text().splitlines())
        return int(counters.get("total_inactive_file", counters.get("inactive_file", 0)))
    return 0
