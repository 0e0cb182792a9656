"""Damage the files of a log, read their content, find out what was synced, and simulate a full disk."""

import os
import resource
import stat
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ENTRY = struct.Struct(">II")
SYNCED_BYTES: dict[str, int] = {}  # path of a synced file -> its length at the last sync
SYNCED_NAMES: dict[str, set[str]] = {}  # path of a synced folder -> the names in it at the last sync


def target_of(descriptor: int | str) -> str | None:
    """Return the file of a descriptor of this process; None if another thread, for example, has closed it."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:
        return None


def _recording(sync: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return `sync` with a record of what it synced; it is installed before a learner's cells can import `sync`."""

    def recorded(fd: Any) -> None:
        sync(fd)
        number = fd if isinstance(fd, int) else fd.fileno()
        if (target := target_of(number)) is None:
            return
        if stat.S_ISDIR((status := os.fstat(number)).st_mode):
            SYNCED_NAMES[target] = set(os.listdir(target))
        else:
            SYNCED_BYTES[target] = status.st_size

    return recorded


for each in (os.fsync, os.fdatasync):
    setattr(os, each.__name__, _recording(each))


def is_synced(log: Path) -> bool:
    """Return whether everything in the file was synced."""
    return SYNCED_BYTES.get(str(log.resolve()), 0) >= log.stat().st_size


def names_are_synced(folder: Path) -> bool:
    """Return whether the folder was synced after each of its segments got its name."""
    return {path.name for path in folder.glob("*.log")} <= SYNCED_NAMES.get(str(folder.resolve()), set())


def open_files_in(folder: Path) -> int:
    """Return how many files of the folder this process has open."""
    targets = (target_of(number) for number in os.listdir("/proc/self/fd"))
    inside = str(folder.resolve())
    return sum(each is not None and os.path.dirname(each) == inside for each in targets)


def damage(log: Path, how: str, amount: int) -> None:
    """Damage a segment in the way that `how` names, by `amount` bytes if it takes an amount."""
    index, size = log.with_suffix(".index"), log.stat().st_size
    if how == "cut":
        os.truncate(log, max(0, size - amount))
    elif how == "flip":
        flip_a_bit(log, size - amount)
    elif how == "tail":
        append_bytes(log, b"\x5a" * amount)
    elif how in ("log_gone", "index_gone"):
        (log if how == "log_gone" else index).unlink()
    else:
        append_bytes(index, wrong_entry(how, index, size))


def wrong_entry(how: str, index: Path, log_bytes: int) -> bytes:
    """Return bytes that cannot be right at the end of an index."""
    last = (stored_entries(index) or [[0, 0]])[-1] if index.exists() else [0, 0]
    return {
        "index_longer": ENTRY.pack(last[0] + 1, log_bytes + 4096),
        "index_odd": b"\0\0\1",
        "index_falling": ENTRY.pack(0, 0),
    }[how]


def append_bytes(path: Path, data: bytes) -> None:
    """Append bytes to a file."""
    with open(path, "ab") as file:
        file.write(data)


def flip_a_bit(path: Path, at: int) -> None:
    """Flip the lowest bit of the byte `at`."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def stored_entries(index: Path) -> list[list[int]]:
    """Return the pairs of numbers in an index file, up to the last whole pair."""
    data = index.read_bytes()
    return [list(entry) for entry in ENTRY.iter_unpack(data[: len(data) // ENTRY.size * ENTRY.size])]


def files_in(folder: Path) -> list[list[object]]:
    """Return [name, size] of each log and index."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".log", ".index"))
    return [[path.name, path.stat().st_size] for path in paths]


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """Limit all files of this process to `size`; a write beyond it is cut or raises OSError (EFBIG)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
