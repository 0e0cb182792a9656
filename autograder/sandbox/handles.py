"""How a running sandbox is held from outside: seen, made to wait for its turn, ended.

`Tree` holds processes of this machine; a container is held by its engine (autograder.sandbox.container).
Keeps out: what goes in and comes out of a sandbox (process.py).
"""

import os
import signal
from contextlib import suppress
from typing import Protocol

import psutil

from autograder.sandbox.process_tree import Look, moved_since, stop_tree
from autograder.sandbox.watchdog import tree_of


class SandboxUnavailable(RuntimeError):
    """A sandbox of the level that was asked for cannot be had here; the text says what to do."""


class Hold(Protocol):
    """A grip on all processes of one sandbox."""

    def processes(self) -> list[psutil.Process]:
        """Those that can be seen from here, for the watch."""

    def pause(self) -> None:
        """Stop all of it, so that the other side of a throughput check has the machine alone; raises `StillRunning`."""

    def moved(self) -> str | None:
        """None where it has stood still since `pause`; else what it did."""

    def resume(self) -> None:
        """Let it go on."""

    def kill(self) -> None:
        """End all of it at once; done twice, the second does nothing."""

    def cause_of_death(self) -> str | None:
        """What this grip knows of why the sandbox ended by itself; None for nothing."""

    def over_a_limit(self) -> str | None:
        """Which limit of the kernel's it has hit while it runs; None for none that this grip knows of."""

    def let_go(self) -> None:
        """Free what the grip holds, once the sandbox has ended."""


class Tree:
    """The process `pid` and all below it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._stood: list[Look] = []

    def processes(self) -> list[psutil.Process]:
        """The tree, parents first."""
        return tree_of(self.pid)

    def pause(self) -> None:
        """Stop every process of the tree, or raise `StillRunning`."""
        self._stood = stop_tree(self.pid)

    def moved(self) -> str | None:
        """What the tree did since `pause`, by processor time and new processes."""
        return moved_since(self.pid, self._stood)

    def resume(self) -> None:
        """Let the tree go on."""
        for process in tree_of(self.pid):
            _signal(process, signal.SIGCONT)

    def kill(self) -> None:
        """End the tree: as a group, since forks could get away one by one, then who left the group."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        for process in reversed(tree_of(self.pid)):
            _signal(process, signal.SIGKILL)

    def cause_of_death(self) -> str | None:
        """The exit code says all there is."""
        return None

    def over_a_limit(self) -> str | None:
        """The watch alone knows."""
        return None

    def let_go(self) -> None:
        """Nothing is held."""


def _signal(process: psutil.Process, number: int) -> None:
    with suppress(psutil.Error, OSError):
        process.send_signal(number)
