"""Choose how a sandbox's memory is limited: by a control group, otherwise per process and by the watchdog."""

import shlex
from typing import Any

from autograder.course import Limits
from autograder.sandbox.memory_group import ENTER, LimitedTree, new_group, parent_of_groups

SPARE_MB = 512
FILES = 1024  # each socket may hold unread bytes that no process is charged for


def memory_limit(limits: Limits) -> dict[str, Any]:
    """Return the arguments that limit a `Sandbox`'s memory: `setup`, and `make_handle` or `watch_host`."""
    group = new_group(limits.memory_mb)
    if group is None:
        return {"setup": f"ulimit -d {(limits.memory_mb + SPARE_MB) * 1024}; ulimit -n {FILES}", "watch_host": True}
    enter = ENTER.replace('"$0"', shlex.quote(str(group.entry)))
    return {"setup": f"{enter} || exit 125", "make_handle": lambda pid: LimitedTree(pid, group, limits.memory_mb)}


def how_memory_is_limited() -> str:
    """Return a sentence for `./lab doctor` on how memory is limited here."""
    parent = parent_of_groups()
    if parent:
        return f"limited by the kernel for each sandbox (a control group in {parent})"
    return "no writable control group: limits for each process, and a watchdog on the machine's available memory"
