"""Choose a level and open a sandbox of it. Nothing degrades silently: what is not to be had is said."""

import itertools
import os
import sys
from pathlib import Path

from autograder.course import Limits
from autograder.sandbox import bubblewrap, container
from autograder.sandbox.box import HOME, Box
from autograder.sandbox.environment import programs_here, runner_environment
from autograder.sandbox.handles import SandboxUnavailable
from autograder.sandbox.process import Sandbox

LEVELS = ("bubblewrap", "container", "process")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "autograder.inside"]
_numbers = itertools.count()
_uids: set[int] = set()


def choose_level(asked: str | None) -> str:
    """The level to use: the one asked for, else bubblewrap; raises `SandboxUnavailable`."""
    level = asked or "bubblewrap"
    if level not in LEVELS:
        raise SandboxUnavailable(f"no sandbox level {level}; there are {', '.join(LEVELS)}")
    if level == "bubblewrap" and (problem := bubblewrap.why_not()):
        tail = "" if asked else "; for your own code `--sandbox process` works without"
        raise SandboxUnavailable(problem + tail)
    if level == "container" and (problem := container.why_not(ROOT)):
        raise SandboxUnavailable(problem)
    return level


def open_sandbox(level: str, root: Path, lab: str, limits: Limits, tuning: str = "short") -> tuple[Sandbox, Box]:
    """Start a runner for `lab`; close the sandbox to end it and to remove its box.

    `tuning` is how Spark is set up: "short" for checks, "throughput" for throughput checks.
    """
    box = Box(root, lab)
    try:
        return _start(level, box, limits, tuning), box
    except BaseException:
        box.close()
        raise


def _start(level: str, box: Box, limits: Limits, tuning: str) -> Sandbox:
    start = {"process": _in_process, "container": _in_container, "bubblewrap": _in_bubblewrap}[level]
    return start(box, limits, tuning)


def _in_process(box: Box, limits: Limits, tuning: str) -> Sandbox:
    home, tmp = box.path / "home", box.path / "tmp"
    environment = runner_environment(kit=str(box.kit), home=str(home), tmp=str(tmp), tuning=tuning) | programs_here()
    return Sandbox(PROGRAM, limits, environment=environment, cwd=str(home), on_close=box.close)


def _in_bubblewrap(box: Box, limits: Limits, tuning: str) -> Sandbox:
    environment = runner_environment(kit="/kit", home=HOME, tmp="/tmp", tuning=tuning) | programs_here()
    uid = _own_uid() if os.geteuid() == 0 else 1000
    isolation_fd = bubblewrap.isolation(box, uid)
    try:
        command = bubblewrap.command(isolation_fd, limits, PROGRAM, uid)
        return Sandbox(command, limits, environment=environment, pass_fds=(isolation_fd,), on_close=box.close)
    finally:
        os.close(isolation_fd)


def _in_container(box: Box, limits: Limits, tuning: str) -> Sandbox:
    environment = runner_environment(kit="/kit", home=HOME, tmp="/tmp", tuning=tuning)
    made = container.create(box, limits, _own_uid(), environment)
    return Sandbox(
        container.command(made),
        limits,
        environment=dict(os.environ),  # docker's command needs it; the container gets none of it
        on_close=box.close,
        hold=lambda pid: container.Container(made, limits, pid),
    )


def _own_uid() -> int:
    """A user of its own for each sandbox, so that limits of one are not shared with another."""
    uid = bubblewrap.FIRST_UID + (os.getpid() * 16 + next(_numbers)) % 50_000
    _uids.add(uid)
    return uid


def uids_of_sandboxes() -> set[int]:
    """The users that sandboxes of this process had so far; bubblewrap gives them as root alone."""
    return set(_uids)


def seen_inside(level: str, box: Box, name: str) -> str:
    """The path under which a sandbox of this level sees `box.data/name`."""
    return str(box.data / name) if level == "process" else f"/data/{name}"
