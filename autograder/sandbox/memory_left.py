"""How much memory is left here; in a container or a limited service the system's figures are the whole machine's.

Keeps out: limits of a sandboxed submission (course.yml).
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
    """Bytes that can still be had: of the machine, and of the groups that this process is in."""
    return min(psutil.virtual_memory().available, left_in_groups((*own_groups(), *CONTAINER)))


def left_in_groups(groups: Iterable[Path]) -> int:
    """Bytes until the first limit of these control groups; as good as endless where there is none.

    Files that were read count as used there; those not read again since are left out, as `docker stats` does.
    """
    return min((_left(each) for each in groups), default=sys.maxsize)


def _left(group: Path) -> int:
    for limit, used in FILES:
        with suppress(OSError, ValueError):  # not this version, or "max"
            left = int((group / limit).read_text()) - int((group / used).read_text())
            return max(0, left + _files_not_in_use(group / "memory.stat"))
    return sys.maxsize


def _files_not_in_use(stat: Path) -> int:
    """The bytes that the system takes back where they are wanted."""
    with suppress(OSError):
        told = dict(line.split() for line in stat.read_text().splitlines())
        return int(told.get("total_inactive_file", told.get("inactive_file", 0)))
    return 0
