"""Level `container`: a docker container without network or capabilities, which can write to memory only.

It runs the image `sandbox` of docker/Dockerfile, which holds Python, Java and jars, but nothing of the kit; the box is
mounted into it. The engine enforces its limits from outside, where the learner cannot change them. If the engine runs
on this machine, the watchdog sees the processes, too, and applies the same limits as at the other levels.
"""

import os
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from autograder.course import Limits
from autograder.inside.channel import EVENTS_FD
from autograder.sandbox.box import HOME, SHARED_MEMORY_MB, WRITABLE_MB, Box
from autograder.sandbox.engine import (
    JUDGE_LABEL,
    EngineError,
    as_arguments,
    docker,
    label_of_this_judge,
    remove_orphans,
    why_unavailable,
)
from autograder.sandbox.handles import SandboxUnavailable, Tree
from autograder.sandbox.process_tree import ProcessSnapshot, StillRunning, moved_since, snapshot_tree, tree_of

MIB = 1024 * 1024
MASKED = ("/etc/resolv.conf", "/etc/hostname")  # docker's versions reveal details of the host
PROGRAM = ["python", "-m", "autograder.inside"]
# docker passes on two streams: stdout carries the events, stderr everything that is printed.
SPLIT = ["sh", "-c", 'exec 3>&1 >&2; exec "$@"', "sh"]
JOIN = ["/bin/sh", "-c", f'exec "$@" 2>&1 >"/dev/fd/${EVENTS_FD}"', "sh"]


def image() -> str:
    """Return the name of the image that sandboxes run."""
    return os.environ.get("STREAMLAB_SANDBOX_IMAGE", "streamlab-sandbox")


def why_not(root: Path) -> str | None:
    """Return None if containers can be sandboxes for the kit in `root`, otherwise one line that says what to do."""
    return why_unavailable() or _why_no_image(image(), root)


@cache
def _why_no_image(name: str, root: Path) -> str | None:
    """Check once that the image exists and was built for this kit's packages; others could change verdicts."""
    build = "`docker/lab-docker sandbox` builds it"
    with suppress(EngineError):  # orphans that cannot be removed do no harm
        remove_orphans()
    try:
        docker("image", "inspect", name)
    except EngineError:
        return f"no image {name}; {build}"
    if _lock_of(name) != _cksum(root / "requirements.lock"):
        return f"image {name} was built from another requirements.lock; {build} again"
    return None


def _lock_of(name: str) -> str:
    """Return the checksum of the lock that an image was built from, or "" if the image has no stamp."""
    stamp = "/opt/streamlab/.venv/streamlab-stamp"
    try:
        return docker("run", "--rm", "--network=none", "--entrypoint=cat", name, stamp).partition("\n")[0]
    except EngineError:
        return ""


def _cksum(path: Path) -> str:
    """Return the output of the program cksum, which `./lab` and the image's stamp use as well."""
    with path.open("rb") as content:
        return subprocess.run(["cksum"], stdin=content, capture_output=True, text=True, check=True).stdout.strip()


def create(box: Box, limits: Limits, uid: int, environment: dict[str, str]) -> str:
    """Create a container for one sandbox without starting it; return its id. Raises `SandboxUnavailable`."""
    options = [*_isolation(limits, uid), *_files(box, uid)]
    options += [("env", f"{name}={value}") for name, value in {**environment, EVENTS_FD: "3"}.items()]
    try:
        return docker("create", "--interactive", "--read-only", *as_arguments(options), image(), *SPLIT, *PROGRAM)
    except EngineError as problem:
        raise SandboxUnavailable(f"docker could not make a sandbox: {problem}") from None


def command(container: str) -> list[str]:
    """Return the command that starts a container, feeds it, and splits its output into events and printed text."""
    return [*JOIN, "docker", "start", "--attach", "--interactive", container]


def _isolation(limits: Limits, uid: int) -> list[tuple[str, str]]:
    # files in memory, which the engine counts and the watchdog does not
    in_memory_mb = sum(WRITABLE_MB.values()) + SHARED_MEMORY_MB
    memory = f"{limits.memory_mb + in_memory_mb}m"
    return [
        ("user", f"{uid}:{uid}"),
        ("network", "none"),
        ("hostname", "sandbox"),
        ("cap-drop", "ALL"),
        ("security-opt", "no-new-privileges"),
        ("memory", memory),
        ("memory-swap", memory),  # equal to memory, so that nothing is swapped
        ("pids-limit", str(limits.processes)),
        ("shm-size", f"{SHARED_MEMORY_MB}m"),
        ("ulimit", "core=0"),
        ("ulimit", "nofile=4096:4096"),
        ("ulimit", f"fsize={512 * MIB}"),
        ("log-driver", "none"),
        ("label", f"{JUDGE_LABEL}={label_of_this_judge()}"),
    ]


def _files(box: Box, uid: int) -> list[tuple[str, str]]:
    shown = [*box.etc_files(uid), *((box.empty_file(), path) for path in MASKED)]
    shown += [(box.kit, "/kit"), (box.data, "/data")]
    mounts = [("mount", f"type=bind,source={here},target={there},readonly") for here, there in shown]
    # exec: Java unpacks native libraries from jars to /tmp and loads them from there
    writable = [("tmpfs", f"{path}:rw,exec,nosuid,nodev,mode=1777,size={size}m") for path, size in WRITABLE_MB.items()]
    return [*mounts, *writable, ("workdir", HOME)]


class Container:
    """The handle of a container, by way of its engine; `cli_pid` is the docker command that is attached to it."""

    def __init__(self, container: str, limits: Limits, cli_pid: int) -> None:
        self._id, self._limits, self._cli = container, limits, Tree(cli_pid)
        self._init_pid: int | None = None
        self._is_elsewhere = self._is_paused = False
        self._stood: list[ProcessSnapshot] = []

    def processes(self) -> list[psutil.Process]:
        """Return the container's processes as this machine sees them; none if the engine is on another machine."""
        if self._init_pid is None and not self._is_elsewhere:
            self._look_for_init()
        return tree_of(self._init_pid) if self._init_pid else []

    def _look_for_init(self) -> None:
        with suppress(EngineError, OSError):
            pid = int(docker("inspect", "--format", "{{.State.Pid}}", self._id) or 0)
            if pid:
                self._is_elsewhere = self._id not in Path(f"/proc/{pid}/cgroup").read_text()
                self._init_pid = None if self._is_elsewhere else pid

    def pause(self) -> None:
        """Freeze the container, or raise `StillRunning`."""
        try:
            docker("pause", self._id)
        except EngineError as problem:
            raise StillRunning(f"docker could not pause it: {problem}") from None
        self._is_paused = True
        self._stood = snapshot_tree(self._init_pid) if self._init_pid else []

    def moved(self) -> str | None:
        """Return what the container did since `pause`, if its processes can be seen; a frozen one should do nothing."""
        return moved_since(self._init_pid, self._stood) if self._init_pid and self._is_paused else None

    def resume(self) -> None:
        """Let the container go on."""
        if self._is_paused:
            with suppress(EngineError):
                docker("unpause", self._id)
            self._is_paused = False

    def kill(self) -> None:
        """End the attached docker command, then the container: the engine waits for clients that stop reading."""
        self._cli.kill()
        self.resume()
        with suppress(EngineError):
            docker("kill", self._id)

    def cause_of_death(self) -> str | None:
        """Return the memory limit if the engine enforced it; raises `SandboxUnavailable` if the start failed."""
        fields = "{{.State.OOMKilled}}|{{.State.StartedAt}}|{{.State.Error}}"
        try:
            oom_killed, started_at, error = docker("inspect", "--format", fields, self._id).split("|", 2)
        except EngineError:
            return None
        if started_at.startswith("0001-"):
            raise SandboxUnavailable(f"docker could not start a sandbox: {error}")
        return f"over the memory limit of {self._limits.memory_mb} MB" if oom_killed == "true" else None

    def exceeded_limit(self) -> str | None:
        """Return None: the engine itself ends a container over a limit, and `cause_of_death` reports it."""
        return None

    def release(self) -> None:
        """Remove the container."""
        with suppress(EngineError):
            docker("rm", "--force", "--volumes", self._id)
