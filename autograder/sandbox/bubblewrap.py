"""Level `bubblewrap`: separate namespaces, an allowlist of read-only files, no network but loopback.

For an ordinary user, a user namespace provides the isolation. Root sets up the mounts, drops to an unprivileged user
that only this sandbox has, and puts it into a user namespace that disables further user namespaces.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Limits
from autograder.sandbox.box import HOME, SHARED_MEMORY_MB, WRITABLE_MB, Box
from autograder.sandbox.mounts import SYSTEM_FOLDERS, Mount, mounts, private_folders
from streamlab.java.cache import lock_file

MIB, PROBE_LIMIT_S = 1024 * 1024, 20.0
OWN_KEYRING = [sys.executable, "-I", "-S", str(Path(__file__).with_name("own_keyring.py"))]
KEYS = ("/proc/keys", "/proc/key-users")
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mime.types",
)


def why_not() -> str | None:
    """Return None if bubblewrap works here, otherwise one line that says what to do."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap needs Linux; on this system use the docker environment"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: `sudo apt-get install bubblewrap`"
    files = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    probe = ["bwrap", "--unshare-all", "--unshare-user", *files, "true"]
    try:
        done = subprocess.run(probe, capture_output=True, text=True, timeout=PROBE_LIMIT_S)
    except (OSError, subprocess.TimeoutExpired) as problem:
        why = problem.strerror if isinstance(problem, OSError) else f"it has not ended after {PROBE_LIMIT_S:g} s"
        return f"isolation is not available: bubblewrap does not run here ({why}); see what `bwrap --version` prints"
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        advice = "see the kernel setting kernel.apparmor_restrict_unprivileged_userns"
        return f"bubblewrap may not make user namespaces here ({first}); {advice}"
    return None


def isolation(box: Box, uid: int) -> int:
    """Return a file descriptor with bubblewrap's options; on a command line, a learner could read the host's paths."""
    options = [*_namespaces(os.geteuid() == 0, uid), *_files(box, uid), "--chdir", HOME]
    descriptor = os.memfd_create("isolation")
    os.write(descriptor, b"".join(option.encode() + b"\0" for option in options))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def command(isolation_fd: int, filter_fd: int | None, limits: Limits, program: list[str], uid: int) -> list[str]:
    """Return the command line that runs `program` in isolation, as user `uid`, with the system call filter."""
    filtered = [] if filter_fd is None else ["--seccomp", str(filter_fd)]
    inner = ["prlimit", f"--nproc={limits.processes}", "--", *program]
    outer = ["bwrap", "--args", str(isolation_fd)]
    if os.geteuid() != 0:
        return [*OWN_KEYRING, *outer, *filtered, "--", *inner]
    within = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", *filtered, "--"]
    return [*OWN_KEYRING, *outer, "--", *_drop_to(uid), *within, *inner]


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
    options = [*_parents_of("/etc/passwd"), *_parents_of(HOME)]
    options += [each for path in SYSTEM_FILES for each in ("--ro-bind-try", path, path)]
    options += [each for file, seen in box.etc_files(uid) for each in ("--ro-bind", str(file), seen)]
    options += ["--proc", "/proc", "--dev", "/dev"]
    options += [each for path in KEYS if os.path.exists(path) for each in ("--ro-bind", str(box.empty_file()), path)]
    for path, size_mb in [*WRITABLE_MB.items(), ("/dev/shm", SHARED_MEMORY_MB)]:
        options += ["--perms", "1777", "--size", str(size_mb * MIB), "--tmpfs", path]
    options += [*_disk(box.root), "--ro-bind", str(box.kit), "/kit", "--ro-bind", str(box.data), "/data"]
    return [*options, "--remount-ro", "/dev", "--remount-ro", "/"]


def _disk(root: Path) -> list[str]:
    """Return the options for the visible parts of this machine's disk and for the covers over private folders."""
    lock_file("any")  # creates the locks' folder, so that a cover can be mounted over it
    shown = mounts(private_folders(root))
    options = [each for mount in shown for each in (*_parents_of(mount.path), *_mounted(mount))]
    covers = [each for mount in shown if mount.is_cover for each in ("--remount-ro", mount.path)]
    return [*_system_links(), *options, *covers]


def _mounted(mount: Mount) -> list[str]:
    return ["--perms", "0755", "--tmpfs", mount.path] if mount.is_cover else ["--ro-bind", mount.path, mount.path]


def _system_links() -> Iterator[str]:
    for name in SYSTEM_FOLDERS:
        if os.path.islink(f"/{name}"):
            yield from ("--symlink", os.readlink(f"/{name}"), f"/{name}")


def _parents_of(path: str) -> Iterator[str]:
    """Create the folders above `path` readable by everyone; bubblewrap's default is readable by root only."""
    for folder in reversed(Path(path).parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(folder))


def seen_inside(paths: list[str], root: Path) -> list[str]:
    """Return those of `paths` that exist inside a sandbox of the kit at `root`; `./lab doctor` uses this."""
    script = ["/bin/sh", "-c", 'for each; do [ ! -e "$each" ] || printf "%s\\0" "$each"; done', "sh", *paths]
    command = ["bwrap", "--unshare-all", *_disk(root), "--", *script]
    done = subprocess.run(command, capture_output=True, timeout=20, check=True)
    return [os.fsdecode(each) for each in done.stdout.split(b"\0") if each]
