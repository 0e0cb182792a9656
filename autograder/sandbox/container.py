"""Level `container`: a docker container without network, capabilities or anything to write but memory.

It runs the image `sandbox` of docker/Dockerfile, which holds Python, Java and jars, and nothing of the kit; the box is
mounted into it. The engine's limits are isolation that the learner cannot reach; where the engine is on this machine,
the
watch sees the processes, too, and its limits are the same as at the other levels. Keeps out: docker's command line.
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
    docker,
    label_of_this_judge,
    remove_orphans,
    why_silent,
    words_of,
)
from autograder.sandbox.handles import SandboxUnavailable, Tree
from autograder.sandbox.process_tree import Look, StillRunning, look_at_tree, moved_since
from autograder.sandbox.watchdog import tree_of

MIB = 1024 * 1024
MASKED = ("/etc/resolv.conf", "/etc/hostname")  # docker's own would tell of the host
PROGRAM = ["python", "-m", "autograder.inside"]
# docker hands over two streams: events take the first, whatever is printed the second.
SPLIT = ["sh", "-c", 'exec 3>&1 >&2; exec "$@"', "sh"]
JOIN = ["/bin/sh", "-c", f'exec "$@" 2>&1 >"/dev/fd/${EVENTS_FD}"', "sh"]


def image() -> str:
    """The name of the image that sandboxes run."""
    return os.environ.get("STREAMLAB_SANDBOX_IMAGE", "streamlab-sandbox")


def why_not(root: Path) -> str | None:
    """None where containers can be sandboxes for the kit in `root`; else what to do, in one line."""
    return why_silent() or _why_no_image(image(), root)


@cache
def _why_no_image(name: str, root: Path) -> str | None:
    """Asked once: an image that was built for other packages would judge otherwise than it should."""
    build = "`docker/lab-docker sandbox` builds it"
    with suppress(EngineError):  # what is left of others stops nobody
        remove_orphans()
    try:
        docker("image", "inspect", name)
    except EngineError:
        return f"no image {name}; {build}"
    if _lock_of(name) != _cksum(root / "requirements.lock"):
        return f"image {name} was built from another requirements.lock; {build} again"
    return None


def _lock_of(name: str) -> str:
    """The checksum of the lock that an image was built from; "" of one that does not say it."""
    stamp = "/opt/streamlab/.venv/streamlab-stamp"
    try:
        return docker("run", "--rm", "--network=none", "--entrypoint=cat", name, stamp).partition("\n")[0]
    except EngineError:
        return ""


def _cksum(path: Path) -> str:
    """What the program cksum says, as `./lab` and the image's stamp have it."""
    with path.open("rb") as content:
        return subprocess.run(["cksum"], stdin=content, capture_output=True, text=True, check=True).stdout.strip()


def create(box: Box, limits: Limits, uid: int, environment: dict[str, str]) -> str:
    """Make a container for one sandbox, not started yet; its id. Raises `SandboxUnavailable`."""
    options = [*_isolation(limits, uid), *_files(box, uid)]
    options += [("env", f"{name}={value}") for name, value in {**environment, EVENTS_FD: "3"}.items()]
    try:
        return docker("create", "--interactive", "--read-only", *words_of(options), image(), *SPLIT, *PROGRAM)
    except EngineError as problem:
        raise SandboxUnavailable(f"docker could not make a sandbox: {problem}") from None


def command(container: str) -> list[str]:
    """The command that starts a container, feeds it, and splits what it gives into events and printed text."""
    return [*JOIN, "docker", "start", "--attach", "--interactive", container]


def _isolation(limits: Limits, uid: int) -> list[tuple[str, str]]:
    in_memory_mb = sum(WRITABLE_MB.values()) + SHARED_MEMORY_MB  # files, which the engine counts and the watch does not
    memory = f"{limits.memory_mb + in_memory_mb}m"
    return [
        ("user", f"{uid}:{uid}"),
        ("network", "none"),
        ("hostname", "sandbox"),
        ("cap-drop", "ALL"),
        ("security-opt", "no-new-privileges"),
        ("memory", memory),
        ("memory-swap", memory),  # the same: nothing is swapped
        ("pids-limit", str(limits.processes)),
        ("shm-size", f"{SHARED_MEMORY_MB}m"),
        ("ulimit", "core=0"),
        ("ulimit", "nofile=4096:4096"),
        ("ulimit", f"fsize={512 * MIB}"),
        ("log-driver", "none"),
        ("label", f"{JUDGE_LABEL}={label_of_this_judge()}"),
    ]


def _files(box: Box, uid: int) -> list[tuple[str, str]]:
    shown = [*box.made_up_etc(uid), *((box.empty_file(), path) for path in MASKED)]
    shown += [(box.kit, "/kit"), (box.data, "/data")]
    mounts = [("mount", f"type=bind,source={here},target={there},readonly") for here, there in shown]
    # exec: libraries in jars are unpacked to /tmp and loaded from there
    writable = [("tmpfs", f"{path}:rw,exec,nosuid,nodev,mode=1777,size={size}m") for path, size in WRITABLE_MB.items()]
    return [*mounts, *writable, ("workdir", HOME)]


class Container:
    """The grip on a container, by the engine; `cli_pid` is the docker command that is attached to it."""

    def __init__(self, container: str, limits: Limits, cli_pid: int) -> None:
        self._id, self._limits, self._cli = container, limits, Tree(cli_pid)
        self._init_pid: int | None = None
        self._is_elsewhere = self._is_paused = False
        self._stood: list[Look] = []

    def processes(self) -> list[psutil.Process]:
        """What runs in it, as this machine sees it; nothing where the engine is on another one."""
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
        """Freeze it."""
        try:
            docker("pause", self._id)
        except EngineError as problem:
            raise StillRunning(f"docker could not pause it: {problem}") from None
        self._is_paused = True
        self._stood = look_at_tree(self._init_pid) if self._init_pid else []

    def moved(self) -> str | None:
        """A frozen container does not move; where it can be seen, it is looked at all the same."""
        return moved_since(self._init_pid, self._stood) if self._init_pid and self._is_paused else None

    def resume(self) -> None:
        """Let it go on."""
        if self._is_paused:
            with suppress(EngineError):
                docker("unpause", self._id)
            self._is_paused = False

    def kill(self) -> None:
        """End it; first the command that is attached to it, since the engine waits for whoever does not read on."""
        self._cli.kill()
        self.resume()
        with suppress(EngineError):
            docker("kill", self._id)

    def cause_of_death(self) -> str | None:
        """What the engine knows: that the memory was used up. Raises `SandboxUnavailable` if it never started."""
        asked = "{{.State.OOMKilled}}|{{.State.StartedAt}}|{{.State.Error}}"
        try:
            used_up, started_at, error = docker("inspect", "--format", asked, self._id).split("|", 2)
        except EngineError:
            return None
        if started_at.startswith("0001-"):
            raise SandboxUnavailable(f"docker could not start a sandbox: {error}")
        return f"over the memory limit of {self._limits.memory_mb} MB" if used_up == "true" else None

    def over_a_limit(self) -> str | None:
        """The engine ends what is over its limits, and says so afterwards."""
        return None

    def let_go(self) -> None:
        """Remove the container."""
        with suppress(EngineError):
            docker("rm", "--force", "--volumes", self._id)
