"""How the memory of a sandbox is limited here: by the kernel for all of it, else per process and by a watch."""

import shlex
from typing import Any

from autograder.course import Limits
from autograder.sandbox.memory_group import ENTER, LimitedTree, new_group, parent_of_groups

SPARE_MB = 512
FILES = 1024  # each socket holds unread bytes that nobody is charged with


def memory_limit(limits: Limits) -> dict[str, Any]:
    """What a `Sandbox` needs for it: `setup`, and `hold` or `watch_host`."""
    group = new_group(limits.memory_mb)
    if group is None:
        return {"setup": f"ulimit -d {(limits.memory_mb + SPARE_MB) * 1024}; ulimit -n {FILES}", "watch_host": True}
    enter = ENTER.replace('"$0"', shlex.quote(str(group.entry)))
    return {"setup": f"{enter} || exit 125", "hold": lambda pid: LimitedTree(pid, group, limits.memory_mb)}


def how_memory_is_limited() -> str:
    """A sentence for `./lab doctor`."""
    parent = parent_of_groups()
    if parent:
        return f"limited by the kernel for each sandbox (a control group in {parent})"
    return "no control group can be written: limits for each process, and a watch on what the machine has left"
