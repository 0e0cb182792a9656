"""The control groups that this process is in, its own and those above it, in versions 1 and 2 of the interface.

In version 2 a group has either processes or groups whose memory is limited, so a group of one's own needs room first.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TRIES = 20  # processes that start while others are moved
LEAF = "streamlab-others"


def own_groups(own: str = "/proc/self/cgroup", mounted: str = "/proc/self/mountinfo") -> Iterator[Path]:
    """This process's own group and those above it, wherever the memory controller is mounted."""
    with suppress(OSError):
        mine = [line.split(":", 2) for line in Path(own).read_text().splitlines()]
        for root, place, controllers in _mounts(Path(mounted).read_text()):
            for _, names, path in mine:
                if "memory" in names.split(",") if "memory" in controllers else not names:
                    yield from _upwards(Path(place), os.path.relpath(path, root))


def _mounts(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Of each mounted hierarchy: what of it is mounted, where, and its controllers (version 2 names none)."""
    for line in text.splitlines():
        about, _, kind = line.partition(" - ")
        fields, (fstype, _, options) = about.split(), kind.split(" ", 2)
        controllers = options.split(",")
        if fstype == "cgroup2" or (fstype == "cgroup" and "memory" in controllers):
            yield fields[3], fields[4], controllers if fstype == "cgroup" else []


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    if path.startswith(".."):
        return
    folder = mount / path
    yield from (each for each in (folder, *folder.parents) if each == mount or mount in each.parents)


def is_delegated(group: Path) -> bool:
    """Whether systemd left what is below this group to whoever is in it (`Delegate=yes`)."""
    with suppress(OSError):
        return os.getxattr(group, "user.delegate") == b"1"
    return False


def make_room(group: Path) -> bool:
    """Let groups below `group` limit memory; its processes go into one below it where version 2 demands that.

    False where that is not allowed or the kernel limits no memory; then every process is where it was.
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
    """Move those that can be moved."""
    with suppress(OSError):
        for pid in (group / "cgroup.procs").read_text().split():
            with suppress(OSError):
                write(to / "cgroup.procs", pid)


def write(file: Path, value: str) -> None:
    """Write to a file of the kernel's; where it is none, nothing is made. Raises OSError."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)
