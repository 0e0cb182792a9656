"""How much memory is left here; in a container the system's own figures are those of the whole machine.

Keeps out: limits of a sandboxed submission (course.yml).
"""

import sys
from contextlib import suppress
from pathlib import Path

import psutil

CGROUPS = Path("/sys/fs/cgroup")
FILES = (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"))


def memory_left() -> int:
    """Bytes that can still be had: of the machine, and of the container that this may be."""
    return min(psutil.virtual_memory().available, left_in_container())


def left_in_container(cgroups: Path = CGROUPS) -> int:
    """Bytes until the limit of this container's control group; as good as endless where there is none.

    Files that were read count as used there; those not read again since are left out, as `docker stats` does.
    """
    for limit, used in FILES:
        with suppress(OSError, ValueError):  # not this version, or "max"
            let_go = _files_not_in_use(cgroups / Path(limit).with_name("memory.stat"))
            return max(0, int((cgroups / limit).read_text()) - int((cgroups / used).read_text()) + let_go)
    return sys.maxsize


def _files_not_in_use(stat: Path) -> int:
    """The bytes that the system takes back where they are wanted."""
    with suppress(OSError):
        told = dict(line.split() for line in stat.read_text().splitlines())
        return int(told.get("total_inactive_file", told.get("inactive_file", 0)))
    return 0
