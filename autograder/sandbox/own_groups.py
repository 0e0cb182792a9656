"""The control groups that contain this process, its own and those above it, in versions 1 and 2 of the interface.

In version 2 a group holds either processes or groups with limited memory, so `make_room` moves processes out first.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TRIES = 20  # new processes may start while others are moved
LEAF = "streamlab-others"


def own_groups(own: str = "/proc/self/cgroup", mounted: str = "/proc/self/mountinfo") -> Iterator[Path]:
    """Return this process's group and those above it, wherever the memory controller is mounted."""
    with suppress(OSError):
        mine = [line.split(":", 2) for line in Path(own).read_text().splitlines()]
        for root, place, controllers in _mounts(Path(mounted).read_text()):
            for _, names, path in mine:
                if "memory" in names.split(",") if "memory" in controllers else not names:
                    yield from _upwards(Path(place), os.path.relpath(path, root))


def _mounts(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Return, for each mounted hierarchy, its mounted root, the mount point and its controllers ([] in version 2)."""
    for line in text.splitlines():
        mount, _, filesystem = line.partition(" - ")
        fields, (fstype, _, options) = mount.split(), filesystem.split(" ", 2)
        controllers = options.split(",")
        if fstype == "cgroup2" or (fstype == "cgroup" and "memory" in controllers):
            yield fields[3], fields[4], controllers if fstype == "cgroup" else []


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    if path.startswith(".."):
        return
    folder = mount / path
    yield from (each for each in (folder, *folder.parents) if each == mount or mount in each.parents)


def is_delegated(group: Path) -> bool:
    """Return whether systemd lets the group's processes manage the groups below it (`Delegate=yes`)."""
    with suppress(OSError):
        return os.getxattr(group, "user.delegate") == b"1"
    return False


def make_room(group: Path) -> bool:
    """Let groups below `group` limit memory; if version 2 requires it, move its processes into a group below it.

    Returns False if that is not allowed or the kernel does not limit memory; then every process is where it was.
    """
    leaf = group / LEAF
    try:
        if "memory" not in (group / "cgroup.controllers").read_text().split():
            return False
        if _enable(group):
            return True
        leaf.mkdir(exist_ok=True)
    except OSError:
        return False
    for _ in range(TRIES):
        _move_processes(group, leaf)
        if _enable(group):
            return True
    _move_processes(leaf, group)
    with suppress(OSError):
        leaf.rmdir()
    return False


def _enable(group: Path) -> bool:
    with suppress(OSError):
        write(group / "cgroup.subtree_control", "+memory")
        return True
    return False


def _move_processes(group: Path, to: Path) -> None:
    """Move the processes of `group` that can be moved."""
    with suppress(OSError):
        for pid in (group / "cgroup.procs").read_text().split():
            with suppress(OSError):
                write(to / "cgroup.procs", pid)


def write(file: Path, value: str) -> None:
    """Write to an existing file of the kernel's interface; never creates one. Raises OSError."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)
