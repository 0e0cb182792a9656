"""A control group for one sandbox: the kernel's own limit on all memory that its processes cause, where one can be had.

It counts what no figure of a process shows: files in memory, unread bytes of sockets, System V segments, inodes, and
what processes held that have ended. Versions 1 and 2 of the kernel's interface differ in names only.
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
LAST_BREATH_S, ORPHAN_S = 5.0, 60.0
PREFIX = "streamlab"
ENTER = 'echo 0 >"$0"'


@dataclass(frozen=True)
class Interface:
    """The files of one version: limits in the order in which they are written, and where it counts what it ended."""

    limits: tuple[str, ...]
    no_swap: tuple[tuple[str, str], ...]
    events: str


V1 = Interface(("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), (), "memory.oom_control")
V2 = Interface(("memory.max",), (("memory.swap.max", "0"), ("memory.oom.group", "1")), "memory.events")


class MemoryGroup:
    """One group with one limit. `entry` is the file that takes the processes which are to be in it."""

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
            if (self.folder / name).exists():  # without swap there is nothing to limit
                write(self.folder / name, value)

    def has_ended_some(self) -> bool:
        """Whether the kernel ended a process for want of memory."""
        with suppress(OSError, ValueError):
            lines = (self.folder / self._interface.events).read_text().splitlines()
            return int(dict(line.split() for line in lines).get("oom_kill", 0)) > 0
        return False

    def kill(self) -> None:
        """End every process in it, also one that left the tree."""
        with suppress(OSError):
            for pid in map(int, self.entry.read_text().split()):
                with suppress(OSError):
                    if pid > 1:  # 0 stands for processes that cannot be seen from here, and for one's own to `kill`
                        os.kill(pid, signal.SIGKILL)

    def remove(self) -> None:
        """Remove it once its processes are gone."""
        end = time.monotonic() + LAST_BREATH_S
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
    """The process `pid` and all below it, in a group of their own."""

    def __init__(self, pid: int, group: MemoryGroup, limit_mb: int) -> None:
        super().__init__(pid)
        self._group, self._limit_mb = group, limit_mb

    def kill(self) -> None:
        """End the tree, and whoever else is in the group."""
        super().kill()
        self._group.kill()

    def over_a_limit(self) -> str | None:
        """That the kernel ended a process of it."""
        return f"over the memory limit of {self._limit_mb} MB" if self._group.has_ended_some() else None

    def cause_of_death(self) -> str | None:
        """The same, once it has ended."""
        return self.over_a_limit()

    def let_go(self) -> None:
        """Remove the group."""
        self._group.remove()


def new_group(limit_mb: int) -> MemoryGroup | None:
    """A group for one sandbox; None where this process may make none."""
    parent = parent_of_groups()
    return MemoryGroup(parent, limit_mb * MIB) if parent else None


@cache
def parent_of_groups() -> Path | None:
    """The group below which this process may make others and put processes into them, by trying it once.

    In version 2 that is often one above its own, so limits of its own do not hold for the sandboxes; not where the own
    one is delegated. Where none works, there may be one that only needs room (a container that may write to its own).
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
    """Groups whose judge was killed; a new one may be that of a judge whose process cannot be seen from here."""
    for folder in parent.glob(f"{PREFIX}-*-*"):
        with suppress(OSError):
            is_old = time.time() - folder.stat().st_mtime > ORPHAN_S
            if is_old and not Path("/proc", folder.name.split("-")[1]).exists():
                folder.rmdir()
