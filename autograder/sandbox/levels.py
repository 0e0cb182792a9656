"""Choose a level and open a sandbox of it. If a level is not available, an error says so; there is no fallback."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from autograder.course import Limits
from autograder.sandbox import bubblewrap, container
from autograder.sandbox.box import HOME, Box
from autograder.sandbox.environment import programs_here, runner_environment
from autograder.sandbox.handles import SandboxUnavailable
from autograder.sandbox.memory_limit import memory_limit
from autograder.sandbox.own_user import OwnUser
from autograder.sandbox.process import Sandbox
from autograder.sandbox.system_calls import filter_in_memory

LEVELS = ("bubblewrap", "container", "process")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "autograder.inside"]
_uids: set[int] = set()
_before: list[str] = []


def choose_level(asked: str | None) -> str:
    """Return the level to use: the requested one, by default bubblewrap; raises `SandboxUnavailable`."""
    level = asked or "bubblewrap"
    if level not in LEVELS:
        raise SandboxUnavailable(f"no sandbox level {level}; the levels are {', '.join(LEVELS)}")
    if level == "bubblewrap" and (problem := bubblewrap.why_not()):
        tail = "" if asked else "; for your own code, `--sandbox process` works without it"
        raise SandboxUnavailable(problem + tail)
    if level == "container" and (problem := container.why_not(ROOT)):
        raise SandboxUnavailable(problem)
    return level


def open_sandbox(level: str, root: Path, lab: str, limits: Limits, tuning: str = "short") -> tuple[Sandbox, Box]:
    """Start a runner for `lab`; close the sandbox to end it and to remove its box.

    `tuning` selects Spark's configuration: "short" for checks, "throughput" for throughput checks.
    """
    box = Box(root, lab)
    try:
        return _start(level, box, limits, tuning), box
    except BaseException:
        box.close()
        raise


@contextmanager
def started_through(command: Sequence[str]) -> Iterator[None]:
    """Let sandboxes of level `process` start through a program that executes the rest of its arguments.

    The program can drop rights, for example.
    """
    _before[:] = command
    try:
        yield
    finally:
        _before.clear()


def _start(level: str, box: Box, limits: Limits, tuning: str) -> Sandbox:
    start = {"process": _in_process, "container": _in_container, "bubblewrap": _in_bubblewrap}[level]
    return start(box, limits, tuning)


def _in_process(box: Box, limits: Limits, tuning: str) -> Sandbox:
    home, tmp = box.path / "home", box.path / "tmp"
    environment = runner_environment(kit=str(box.kit), home=str(home), tmp=str(tmp), tuning=tuning) | programs_here()
    return Sandbox(
        [*bubblewrap.OWN_KEYRING, *_before, *PROGRAM],
        limits,
        environment=environment,
        cwd=str(home),
        on_close=box.close,
        **memory_limit(limits),
    )


def _in_bubblewrap(box: Box, limits: Limits, tuning: str) -> Sandbox:
    environment = runner_environment(kit="/kit", home=HOME, tmp="/tmp", tuning=tuning) | programs_here()
    user = _own_user() if os.geteuid() == 0 else None
    uid = user.uid if user else 1000
    isolation_fd, filter_fd = bubblewrap.isolation(box, uid), filter_in_memory()
    passed_fds = tuple(each for each in (isolation_fd, filter_fd) if each is not None)
    try:
        command = bubblewrap.command(isolation_fd, filter_fd, limits, PROGRAM, uid)
        return Sandbox(
            command, limits, environment=environment, pass_fds=passed_fds, on_close=_closing(box, user),
            **memory_limit(limits),
        )  # fmt: skip
    finally:
        for each in passed_fds:
            os.close(each)


def _in_container(box: Box, limits: Limits, tuning: str) -> Sandbox:
    environment = runner_environment(kit="/kit", home=HOME, tmp="/tmp", tuning=tuning)
    user = _own_user()
    made = container.create(box, limits, user.uid, environment)
    return Sandbox(
        container.command(made),
        limits,
        environment=dict(os.environ),  # for docker's command; the container gets none of it
        on_close=_closing(box, user),
        make_handle=lambda pid: container.Container(made, limits, pid),
    )


def _closing(box: Box, user: OwnUser | None) -> Callable[[], None]:
    def close() -> None:
        box.close()
        if user:
            user.release()

    return close


def _own_user() -> OwnUser:
    user = OwnUser()
    _uids.add(user.uid)
    return user


def uids_of_sandboxes() -> set[int]:
    """Return the user ids that sandboxes of this process have had so far; bubblewrap assigns them only as root."""
    return set(_uids)


def seen_inside(level: str, box: Box, name: str) -> str:
    """Return the path under which a sandbox of this level sees `box.data/name`."""
    return str(box.data / name) if level == "process" else f"/data/{name}"
