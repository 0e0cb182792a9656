"""The number of cores that this process may use; in a container it can be lower than the machine's."""

import os
from contextlib import suppress
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def cores_here(cgroups: Path = CGROUPS) -> int:
    """Return how many cores this process may run on, limited by the container's share of CPU time; at least 1."""
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(mine, _share(cgroups)))


def _share(cgroups: Path) -> int:
    """Return the container's CPU quota in whole cores (control groups version 2 or 1), or all cores if unlimited."""
    with suppress(OSError, ValueError):
        quota, period = (cgroups / "cpu.max").read_text().split()
        return int(quota) // int(period)
    with suppress(OSError, ValueError):
        quota, period = ((cgroups / f"cpu/cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        if int(quota) > 0:
            return int(quota) // int(period)
    return os.cpu_count() or 1
