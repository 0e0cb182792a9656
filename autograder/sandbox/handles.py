"""Handles to control a running sandbox from outside: list its processes, pause it, end it.

`Tree` controls processes of this machine; `autograder.sandbox.container` controls a container through its engine.
"""

import os
import signal
from contextlib import suppress
from typing import Protocol

import psutil

from autograder.sandbox.process_tree import ProcessSnapshot, moved_since, stop_tree, tree_of


class SandboxUnavailable(RuntimeError):
    """A sandbox of the requested level is not available here; the text says what to do."""


class Handle(Protocol):
    """Control over all processes of one sandbox."""

    def processes(self) -> list[psutil.Process]:
        """Return the processes that are visible from here, for the watchdog."""

    def pause(self) -> None:
        """Stop all processes, so that the other side of a throughput check runs alone; raises `StillRunning`."""

    def moved(self) -> str | None:
        """Return None if the sandbox has stood still since `pause`, otherwise what it did."""

    def resume(self) -> None:
        """Let the sandbox go on."""

    def kill(self) -> None:
        """End all processes at once; a second call does nothing."""

    def cause_of_death(self) -> str | None:
        """Return why the sandbox ended by itself; None if this handle does not know."""

    def exceeded_limit(self) -> str | None:
        """Return which of the kernel's limits the running sandbox has hit; None if this handle knows of none."""

    def release(self) -> None:
        """Free the handle's resources, once the sandbox has ended."""


class Tree:
    """The process `pid` and all its descendants."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._stood: list[ProcessSnapshot] = []

    def processes(self) -> list[psutil.Process]:
        """Return the tree, parents first."""
        return tree_of(self.pid)

    def pause(self) -> None:
        """Stop every process of the tree, or raise `StillRunning`."""
        self._stood = stop_tree(self.pid)

    def moved(self) -> str | None:
        """Return None if the tree has stood still since `pause`, otherwise what it did (`process_tree`)."""
        return moved_since(self.pid, self._stood)

    def resume(self) -> None:
        """Let the tree go on."""
        for process in tree_of(self.pid):
            _signal(process, signal.SIGCONT)

    def kill(self) -> None:
        """End the process group, since forks could escape one by one, then the processes that left the group."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        for process in reversed(tree_of(self.pid)):
            _signal(process, signal.SIGKILL)

    def cause_of_death(self) -> str | None:
        """Return None: only the exit code is known."""
        return None

    def exceeded_limit(self) -> str | None:
        """Return None: only the watchdog checks limits."""
        return None

    def release(self) -> None:
        """Do nothing: a tree holds no resources."""


def _signal(process: psutil.Process, number: int) -> None:
    with suppress(psutil.Error, OSError):
        process.send_signal(number)
