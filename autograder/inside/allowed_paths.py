"""Which files and hosts a learner's code may use without its being worth a word.

Python's and the system's own files, the sandbox's home and temporary folders, and loopback. Keeps out: judging.
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
# Only the sandbox's own processes are there.
OF_A_PROCESS = re.compile(r"/proc/[0-9]+/(?:status|task(?:/[0-9]+(?:/status)?)?)")
LOOPBACK = ("", "localhost", "sandbox", "0.0.0.0", "::")


class Allowed:
    """The places as this process finds them when it starts."""

    def __init__(self) -> None:
        kit = os.environ.get("PYTHONPATH", "/kit").split(os.pathsep)[0]
        self._own = _folders(os.path.expanduser("~"), tempfile.gettempdir())
        java, cache = os.environ.get("LAB_JAVA_HOME", ""), os.environ.get("STREAMLAB_CACHE", "")
        self._read = _folders(kit, sys.prefix, sys.base_prefix, java, cache, *SYSTEM, *HARMLESS)
        self._kit = (f"{kit}/",)
        self._written = ("/dev/null", "/dev/shm", *self._own)

    def foreign(self, path: Any, *, writes: bool) -> str | None:
        """The place that `path` really is, links followed; None where nothing has to be said of its use.

        A number is a file that is open already.
        """
        if isinstance(path, int) or path is None or os.fsdecode(path) in (":memory:", ""):
            return None
        name = os.path.realpath(os.fsdecode(path))
        if writes:
            return None if _is_below(name, self._written) else name
        usual = _is_below(name, (*self._own, *self._read)) or OF_A_PROCESS.fullmatch(name)
        return None if usual else name

    def is_a_cells(self, file: str) -> bool:
        """Whether code of this file name is the learner's: a cell, a text that was executed, a file of its own.

        Python itself may lie below a folder that is the learner's in here, as one installed under /tmp does.
        """
        if file.startswith("<"):
            return not file.startswith("<frozen ")
        return _is_below(file, self._own) and not _is_below(file, self._read)

    def is_the_kits(self, file: str) -> bool:
        """Whether code of this file name is the judging code or the library that notebooks import."""
        return file.startswith(self._kit)


def stays_on_this_machine(address: Any) -> bool:
    """Whether a socket's address, the name of a host, or a URL means this machine.

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
