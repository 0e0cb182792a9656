"""A control group for one sandbox: the kernel limits all memory that its processes cause, where it allows that.

The group counts memory that no process's figures show: files in memory, unread bytes of sockets, System V segments,
inodes, and memory left by processes that have ended. Versions 1 and 2 of the kernel's interface differ in names only.
"""

import os
import secrets
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.sandbox.handles import Tree
from autograder.sandbox.own_groups import is_delegated, make_room, own_groups, write

MIB = 1024 * 1024
REMOVE_TIMEOUT_S, ORPHAN_S = 5.0, 60.0
PREFIX = "streamlab"
ENTER = 'echo 0 >"$0"'


@dataclass(frozen=True)
class Interface:
    """The files of one version: limits in the order in which they are written, and the count of processes it ended."""

    limits: tuple[str, ...]
    no_swap: tuple[tuple[str, str], ...]
    events: str


V1 = Interface(("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), (), "memory.oom_control")
V2 = Interface(("memory.max",), (("memory.swap.max", "0"), ("memory.oom.group", "1")), "memory.events")


class MemoryGroup:
    """One group with one limit. A process joins it by writing its id to the file `entry`."""

    def __init__(self, parent: Path, limit_bytes: int) -> None:
        self.folder = parent / f"{PREFIX}-{os.getpid()}-{secrets.token_hex(4)}"
        self.entry = self.folder / "cgroup.procs"
        self.folder.mkdir()
        try:
            self._limit(limit_bytes)
        except OSError:
            self.folder.rmdir()
            raise

    def _limit(self, limit_bytes: int) -> None:
        self._interface = V2 if (self.folder / V2.limits[0]).exists() else V1
        required, *others = self._interface.limits
        write(self.folder / required, str(limit_bytes))
        for name, value in (*((each, str(limit_bytes)) for each in others), *self._interface.no_swap):
            if (self.folder / name).exists():  # without swap, these files do not exist
                write(self.folder / name, value)

    def has_killed_a_process(self) -> bool:
        """Return whether the kernel ended a process of the group because of this limit."""
        with suppress(OSError, ValueError):
            lines = (self.folder / self._interface.events).read_text().splitlines()
            return int(dict(line.split() for line in lines).get("oom_kill", 0)) > 0
        return False

    def kill(self) -> None:
        """End every process in the group, even one that left the tree."""
        with suppress(OSError):
            for pid in map(int, self.entry.read_text().split()):
                with suppress(OSError):
                    if pid > 1:  # 0 means a process that is invisible from here, but to `kill` the caller's own group
                        os.kill(pid, signal.SIGKILL)

    def remove(self) -> None:
        """End the group's processes and remove the group once they are gone; give up after `REMOVE_TIMEOUT_S`."""
        end = time.monotonic() + REMOVE_TIMEOUT_S
        while True:
            try:
                return self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() > end:
                    return
            self.kill()
            time.sleep(0.01)


class LimitedTree(Tree):
    """The process `pid` and all its descendants, in their own control group."""

    def __init__(self, pid: int, group: MemoryGroup, limit_mb: int) -> None:
        super().__init__(pid)
        self._group, self._limit_mb = group, limit_mb

    def kill(self) -> None:
        """End the tree and every other process in the group."""
        super().kill()
        self._group.kill()

    def exceeded_limit(self) -> str | None:
        """Return the exceeded limit if the kernel ended a process of the group, otherwise None."""
        return f"over the memory limit of {self._limit_mb} MB" if self._group.has_killed_a_process() else None

    def cause_of_death(self) -> str | None:
        """Return the exceeded limit, once the sandbox has ended."""
        return self.exceeded_limit()

    def release(self) -> None:
        """Remove the group."""
        self._group.remove()


def new_group(limit_mb: int) -> MemoryGroup | None:
    """Create a group for one sandbox; return None if this process may not create one."""
    parent = parent_of_groups()
    return MemoryGroup(parent, limit_mb * MIB) if parent else None


@cache
def parent_of_groups() -> Path | None:
    """Return the group below which this process can create groups and move processes into them; tries it out once.

    In version 2 that is often a group above its own, so that the limits of its own group do not apply to the sandboxes;
    a delegated group is used itself. If none works, one may only need room (a container that may write to its own).
    """
    groups = list(own_groups())
    for own in filter(is_delegated, groups[:1]):
        make_room(own)
    found = (each for each in groups if _works(each))
    return next(found, None) or next((own for own in groups[:1] if make_room(own) and _works(own)), None)


def _works(parent: Path) -> bool:
    _remove_orphans(parent)
    try:
        group = MemoryGroup(parent, 64 * MIB)
    except OSError:
        return False
    try:
        return subprocess.run(["/bin/sh", "-c", ENTER, str(group.entry)], capture_output=True).returncode == 0
    finally:
        group.remove()


def _remove_orphans(parent: Path) -> None:
    """Remove groups whose judge was killed; a recent group may belong to a judge that is not visible from here."""
    for folder in parent.glob(f"{PREFIX}-*-*"):
        with suppress(OSError):
            is_old = time.time() - folder.stat().st_mtime > ORPHAN_S
            if is_old and not Path("/proc", folder.name.split("-")[1]).exists():
                folder.rmdir()
