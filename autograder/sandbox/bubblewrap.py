"""Level `bubblewrap`: own namespaces, a white list of read-only files, no network but loopback.

An ordinary user gets its isolation from a user namespace. Root sets up the mounts, drops to an unprivileged
user of its own, and puts that into a user namespace in which no further one can be made.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Limits
from autograder.sandbox.box import HOME, SHARED_MEMORY_MB, WRITABLE_MB, Box
from autograder.sandbox.environment import folders_to_show

MIB = 1024 * 1024
FIRST_UID = 200_000
SYSTEM_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mime.types",
)


def why_not() -> str | None:
    """None where bubblewrap works; else what to do, in one line."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux; on this system use the docker environment"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: `sudo apt-get install bubblewrap`"
    files = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    probe = ["bwrap", "--unshare-all", "--unshare-user", *files, "true"]
    done = subprocess.run(probe, capture_output=True, text=True, timeout=20)
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        advice = "see the kernel setting kernel.apparmor_restrict_unprivileged_userns"
        return f"bubblewrap may not make user namespaces here ({first}); {advice}"
    return None


def isolation(box: Box, uid: int) -> int:
    """The options that make isolation, in a file descriptor: on a command line, a learner could read host paths."""
    options = [*_namespaces(os.geteuid() == 0, uid), *_files(box, uid), "--chdir", HOME]
    descriptor = os.memfd_create("walls")
    os.write(descriptor, b"".join(option.encode() + b"\0" for option in options))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def command(isolation_fd: int, limits: Limits, program: list[str], uid: int) -> list[str]:
    """The command line that runs `program` behind isolation, as user `uid`."""
    inner = ["prlimit", f"--nproc={limits.processes}", "--", *program]
    if os.geteuid() == 0:
        inner = [*_drop_to(uid), "bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--", *inner]
    return ["bwrap", "--args", str(isolation_fd), "--", *inner]


def _namespaces(as_root: bool, uid: int) -> list[str]:
    shared = ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    spaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if as_root:
        return [*spaces, *shared, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    return [*spaces, "--unshare-user", "--disable-userns", *shared, "--uid", str(uid), "--gid", str(uid)]


def _drop_to(uid: int) -> list[str]:
    return [
        "setpriv",
        f"--reuid={uid}",
        f"--regid={uid}",
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
    ]


def _files(box: Box, uid: int) -> list[str]:
    options = ["--ro-bind", "/usr", "/usr"]
    for name in SYSTEM_FOLDERS:
        folder = Path("/", name)
        if folder.is_symlink():
            options += ["--symlink", os.readlink(folder), str(folder)]
        elif folder.exists():
            options += ["--ro-bind", str(folder), str(folder)]
    options += [*_parents_of("/etc/passwd"), *_parents_of(HOME)]
    options += [each for path in SYSTEM_FILES for each in ("--ro-bind-try", path, path)]
    options += [each for file, seen in box.made_up_etc(uid) for each in ("--ro-bind", str(file), seen)]
    options += ["--proc", "/proc", "--dev", "/dev"]
    for path, size_mb in [*WRITABLE_MB.items(), ("/dev/shm", SHARED_MEMORY_MB)]:
        options += ["--perms", "1777", "--size", str(size_mb * MIB), "--tmpfs", path]
    options += [each for path in _outside_usr() for each in (*_parents_of(path), "--ro-bind", path, path)]
    options += ["--ro-bind", str(box.kit), "/kit", "--ro-bind", str(box.data), "/data"]
    return [*options, "--remount-ro", "/dev", "--remount-ro", "/"]


def _outside_usr() -> list[str]:
    """The folders to show that do not lie under /usr, none inside another."""
    seen: list[str] = []
    for path in sorted(folders_to_show()):
        below = any(path == other or path.startswith(other + "/") for other in ("/usr", *seen))
        if not below and os.path.isdir(path):
            seen.append(path)
    return seen


def _parents_of(path: str) -> Iterator[str]:
    """Make the folders above `path` open to everyone: bubblewrap's own would be root's alone."""
    for folder in reversed(Path(path).parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(folder))
