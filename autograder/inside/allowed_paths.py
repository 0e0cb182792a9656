"""Files and hosts that a learner's code may use without an audit finding.

These are Python's and the system's own files, the sandbox's home and temporary folders, and loopback.
"""

import ipaddress
import os
import re
import sys
import tempfile
from typing import Any

SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/dev/null", "/dev/urandom", "/dev/random", "/dev/shm")
HARMLESS = (
    *("/etc/localtime", "/etc/mime.types", "/etc/hosts", "/etc/nsswitch.conf", "/etc/alternatives", "/etc/fonts"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/filesystems", "/sys"),
    *("/proc/self/status", "/proc/self/stat", "/proc/self/statm", "/proc/self/cgroup", "/proc/uptime"),
)
# A sandbox sees only its own processes.
OF_A_PROCESS = re.compile(r"/proc/[0-9]+/(?:status|task(?:/[0-9]+(?:/status)?)?)")
LOOPBACK = ("", "localhost", "sandbox", "0.0.0.0", "::")


class Allowed:
    """The allowed folders as they are when this process starts."""

    def __init__(self) -> None:
        kit = os.environ.get("PYTHONPATH", "/kit").split(os.pathsep)[0]
        self._own = _folders(os.path.expanduser("~"), tempfile.gettempdir())
        java, cache = os.environ.get("LAB_JAVA_HOME", ""), os.environ.get("STREAMLAB_CACHE", "")
        self._read = _folders(kit, sys.prefix, sys.base_prefix, java, cache, *SYSTEM, *HARMLESS)
        self._kit = (f"{kit}/",)
        self._written = ("/dev/null", "/dev/shm", *self._own)

    def foreign(self, path: Any, *, writes: bool) -> str | None:
        """Return the real path of `path`, with links followed, or None if its use is allowed.

        A number is the descriptor of an open file, and is allowed.
        """
        if isinstance(path, int) or path is None or os.fsdecode(path) in (":memory:", ""):
            return None
        name = os.path.realpath(os.fsdecode(path))
        if writes:
            return None if _is_below(name, self._written) else name
        usual = _is_below(name, (*self._own, *self._read)) or OF_A_PROCESS.fullmatch(name)
        return None if usual else name

    def is_a_cells(self, file: str) -> bool:
        """Return whether code with this file name is the learner's: a cell, executed text, or a file of the sandbox.

        Python itself may be below a folder that belongs to the learner in the sandbox, for example under /tmp.
        """
        if file.startswith("<"):
            return not file.startswith("<frozen ")
        return _is_below(file, self._own) and not _is_below(file, self._read)

    def is_the_kits(self, file: str) -> bool:
        """Return whether code with this file name is the judging code or the library that notebooks import."""
        return file.startswith(self._kit)


def stays_on_this_machine(address: Any) -> bool:
    """Return whether a socket address, a host name or a URL points to this machine.

    Example: stays_on_this_machine(("127.0.0.1", 80)) -> True;  stays_on_this_machine("http://example.org") -> False
    """
    host = address[0] if isinstance(address, tuple) and address else address
    host = host.decode("utf-8", "replace") if isinstance(host, bytes) else host
    if not isinstance(host, str) or host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.startswith(("http://localhost", "http://127."))


def _folders(*names: str) -> tuple[str, ...]:
    real = {form for name in names if name for form in (os.path.normpath(name), os.path.realpath(name))}
    return tuple(sorted(each for each in real if each != "/"))


def _is_below(name: str, folders: tuple[str, ...]) -> bool:
    return any(name == each or name.startswith(each + "/") for each in folders)
