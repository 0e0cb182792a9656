"""Select the notable ones of Python's audit events: each reader returns (what, subject), or None for a usual event.

The readers are pure. They do not decide who caused an event; `autograder.inside.audit` does.
"""

import os
from collections.abc import Callable
from typing import Any

from autograder.inside.allowed_paths import Allowed, stays_on_this_machine

Found = tuple[str, str] | None
Reader = Callable[[str, tuple[Any, ...]], Found]

DIRECT = frozenset({"sys._getframe", "fcntl.fcntl", "fcntl.ioctl", "object.__setattr__", "object.__delattr__"})
_PROCESSES = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "pty.spawn")
_FILES = ("os.remove", "os.rename", "os.link", "os.symlink", "os.truncate", "os.mkdir", "os.rmdir", "os.chmod")
_MORE_FILES = ("os.chown", "os.utime", "shutil.rmtree")
_INTERPRETER = ("sys.addaudithook", "sys.settrace", "sys.setprofile", "sys._current_frames", "threading.settrace")
_MEMORY = ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
_PARTS_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__")


def readers_of(allowed: Allowed) -> dict[str, Reader]:
    """Return the reader of each event that can be notable."""
    readers = {"ctypes.dlopen": _always("native"), "sys._getframe": _always("frames"), "import": _imported}
    readers |= {"os.kill": _signalled, "os.killpg": _signalled}
    readers |= dict.fromkeys(("object.__setattr__", "object.__delattr__"), _recoded)
    readers |= dict.fromkeys(_PROCESSES, _started)
    readers |= dict.fromkeys((*_INTERPRETER, *_MEMORY, "fcntl.fcntl", "fcntl.ioctl"), _hooked)
    return readers | _file_readers(allowed) | _host_readers(allowed)


def _file_readers(allowed: Allowed) -> dict[str, Reader]:
    def opened(event: str, args: tuple[Any, ...]) -> Found:
        return _finding_at("open", allowed.foreign(args[0], writes=_writes(args)))

    def listed(event: str, args: tuple[Any, ...]) -> Found:
        return _finding_at("list", allowed.foreign(args[0] or ".", writes=False))

    def changed(event: str, args: tuple[Any, ...]) -> Found:
        places = [each for each in args[:2] if isinstance(each, str | bytes | os.PathLike)]
        foreign = (allowed.foreign(each, writes=True) for each in places)
        return _finding_at("change", next((each for each in foreign if each), None))

    by_event: dict[str, Reader] = {"open": opened, "sqlite3.connect": opened}
    by_event |= dict.fromkeys(("os.listdir", "os.scandir", "os.chdir"), listed)
    return by_event | dict.fromkeys((*_FILES, *_MORE_FILES), changed)


def _host_readers(allowed: Allowed) -> dict[str, Reader]:
    def connected(event: str, args: tuple[Any, ...]) -> Found:
        address = args[1]
        is_a_file = isinstance(address, str | bytes)
        if is_a_file:
            return _finding_at("connect", allowed.foreign(address, writes=True))
        return None if stays_on_this_machine(address) else ("connect", _text(address))

    def named(event: str, args: tuple[Any, ...]) -> Found:
        return None if stays_on_this_machine(args[0]) else ("connect", _text(args[0]))

    by_event: dict[str, Reader] = dict.fromkeys(("socket.connect", "socket.sendto"), connected)
    return by_event | dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), named)


def _finding_at(what: str, place: str | None) -> Found:
    return None if place is None else (what, place)


def _always(what: str) -> Reader:
    return lambda event, args: (what, "")


def _signalled(event: str, args: tuple[Any, ...]) -> Found:
    return None if event == "os.kill" and args[0] == os.getpid() else ("signal", f"{args[1]} to {args[0]}")


def _imported(event: str, args: tuple[Any, ...]) -> Found:
    return ("import", str(args[0])) if str(args[0]).startswith("autograder.") else None


def _recoded(event: str, args: tuple[Any, ...]) -> Found:
    if args[1] not in _PARTS_OF_FUNCTIONS:
        return None
    return "code", f"{getattr(args[0], '__module__', '')}.{getattr(args[0], '__qualname__', '')}"


def _started(event: str, args: tuple[Any, ...]) -> Found:
    if event == "subprocess.Popen" and isinstance(args[1], list | tuple):
        return "process", " ".join(_text(each) for each in args[1])
    return "process", _text(args[0]) if args else event


def _hooked(event: str, args: tuple[Any, ...]) -> Found:
    return "hook", event


def _writes(args: tuple[Any, ...]) -> bool:
    mode, flags = (*args, None, None)[1:3]
    by_flags = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return by_flags or (isinstance(mode, str) and any(letter in mode for letter in "wax+"))


def _text(value: object) -> str:
    return os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else str(value)
