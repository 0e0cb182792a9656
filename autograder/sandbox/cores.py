"""How many cores this process may use: in a container, the machine's own number is not the answer."""

import os
from contextlib import suppress
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def cores_here(cgroups: Path = CGROUPS) -> int:
    """Cores that this process may run on, and no more than the container's share of time; at least 1."""
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(mine, _share(cgroups)))


def _share(cgroups: Path) -> int:
    """The container's share in whole cores, by version 2 or 1 of the kernel's interface; without a limit, all."""
    with suppress(OSError, ValueError):
        quota, period = (cgroups / "cpu.max").read_text().split()
        return int(quota) // int(period)
    with suppress(OSError, ValueError):
        quota, period = ((cgroups / f"cpu/cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        if int(quota) > 0:
            return int(quota) // int(period)
    return os.cpu_count() or 1
