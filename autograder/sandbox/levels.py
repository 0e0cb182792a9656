"""Choose a level and open a sandbox of it. Nothing degrades silently: what is not to be had is said."""

import itertools
import os
import sys
from pathlib import Path

from autograder.course import Limits
from autograder.sandbox import bubblewrap
from autograder.sandbox.box import Box
from autograder.sandbox.environment import runner_environment
from autograder.sandbox.process import Sandbox

LEVELS = ("bubblewrap", "process")
PROGRAM = [sys.executable, "-m", "autograder.inside"]
_numbers = itertools.count()
_uids: set[int] = set()


class SandboxUnavailable(RuntimeError):
    """The level that was asked for does not work here; the text says what to do."""


def choose_level(asked: str | None) -> str:
    """The level to use: the one asked for, else bubblewrap; raises `SandboxUnavailable`."""
    level = asked or "bubblewrap"
    if level not in LEVELS:
        raise SandboxUnavailable(f"no sandbox level {level}; there are {', '.join(LEVELS)}")
    if level == "bubblewrap" and (problem := bubblewrap.why_not()):
        tail = "" if asked else "; for your own code `--sandbox process` works without"
        raise SandboxUnavailable(problem + tail)
    return level


def open_sandbox(level: str, root: Path, lab: str, limits: Limits, tuning: str = "short") -> tuple[Sandbox, Box]:
    """Start a runner for `lab`; close the sandbox to end it and to remove its box.

    `tuning` is how Spark is set up: "short" for checks, "throughput" for races.
    """
    box = Box(root, lab)
    try:
        return _start(level, box, limits, tuning), box
    except BaseException:
        box.close()
        raise


def _start(level: str, box: Box, limits: Limits, tuning: str) -> Sandbox:
    if level == "process":
        home, tmp = box.path / "home", box.path / "tmp"
        environment = runner_environment(kit=str(box.kit), home=str(home), tmp=str(tmp), tuning=tuning)
        return Sandbox(PROGRAM, limits, environment=environment, cwd=str(home), on_close=box.close)
    environment = runner_environment(kit="/kit", home=bubblewrap.HOME, tmp="/tmp", tuning=tuning)
    uid = _own_uid()
    walls_fd = bubblewrap.walls(box, uid)
    try:
        command = bubblewrap.command(walls_fd, limits, PROGRAM, uid)
        return Sandbox(command, limits, environment=environment, pass_fds=(walls_fd,), on_close=box.close)
    finally:
        os.close(walls_fd)


def _own_uid() -> int:
    """As root, a user of its own for each sandbox, so that limits of one are not shared with another."""
    if os.geteuid() != 0:
        return 1000
    uid = bubblewrap.FIRST_UID + (os.getpid() * 16 + next(_numbers)) % 50_000
    _uids.add(uid)
    return uid


def uids_of_sandboxes() -> set[int]:
    """The users that sandboxes of this process had so far; only root gives each sandbox one of its own."""
    return set(_uids)


def seen_inside(level: str, box: Box, name: str) -> str:
    """The path under which a sandbox of this level sees `box.data/name`."""
    return str(box.data / name) if level == "process" else f"/data/{name}"
