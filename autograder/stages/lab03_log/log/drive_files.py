"""Damage to the files of a log, what lies in them and what of it was synced, and a disk that is full."""

import os
import resource
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ENTRY = struct.Struct(">II")
SYNCED_BYTES: dict[str, int] = {}  # of each file that was synced: how long it was then


def target_of(descriptor: int | str) -> str | None:
    """The file that a descriptor of this process stands for; None if it was closed meanwhile, by another thread say."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:
        return None


def _noting(sync: Callable[[Any], None]) -> Callable[[Any], None]:
    """`sync`, which notes what it was asked for; put in its place before a learner's cells can import it."""

    def noted(fd: Any) -> None:
        sync(fd)
        number = fd if isinstance(fd, int) else fd.fileno()
        if (target := target_of(number)) is not None:
            SYNCED_BYTES[target] = os.fstat(number).st_size

    return noted


for each in (os.fsync, os.fdatasync):
    setattr(os, each.__name__, _noting(each))


def is_synced(log: Path) -> bool:
    """Whether all that is in the file was synced."""
    return SYNCED_BYTES.get(str(log.resolve()), 0) >= log.stat().st_size


def damage(log: Path, how: str, amount: int) -> None:
    """Do to a segment what `how` says; `amount` bytes, where it has an amount."""
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
    """Bytes that cannot be right at the end of an index."""
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
    """Another lowest bit in the byte `at`."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def stored_entries(index: Path) -> list[list[int]]:
    """The pairs of numbers in an index file, as far as they are whole."""
    data = index.read_bytes()
    return [list(entry) for entry in ENTRY.iter_unpack(data[: len(data) // ENTRY.size * ENTRY.size])]


def files_in(folder: Path) -> list[list[object]]:
    """[name, size] of each log and index."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".log", ".index"))
    return [[path.name, path.stat().st_size] for path in paths]


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size`; a write that would is cut or raises OSError (EFBIG)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
