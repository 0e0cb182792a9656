"""What a container may still use of memory, where the system's own figures are those of the whole machine.

Keeps out: limits of a sandboxed submission (course.yml).
"""

import sys
from contextlib import suppress
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
FILES = (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"))


def left_in_container(cgroups: Path = CGROUPS) -> int:
    """Bytes until the limit of this container's control group; as good as endless where there is none.

    Files that were read count as used there, though the system lets go of them: it is never more than this.
    """
    for limit, used in FILES:
        with suppress(OSError, ValueError):  # not this version, or "max"
            return max(0, int((cgroups / limit).read_text()) - int((cgroups / used).read_text()))
    return sys.maxsize
