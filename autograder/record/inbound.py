"""Look at a folder that a student still owns, and copy it: everything is opened once, by descriptor, without links.

Whatever the student swaps meanwhile, a copy holds the bytes of regular files that belong to them, and nothing else.
Sizes, names and depth are bounded. Does not know nbgrader's exchange (collection.py).
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from autograder.intake.reading import OPEN

ENTRIES_MAX, DEPTH_MAX, CHUNK = 2_000, 8, 1 << 20


class RejectedFolder(ValueError):
    """The folder is not collected; the text says why."""


@dataclass
class Rules:
    """What a submission may be: whose, of how many bytes; `wanted(name, size)` leaves files out."""

    uid: int
    bytes_max: int
    wanted: Callable[[str, int], bool] = lambda name, size: True
    file_mode: int = 0o600
    folder_mode: int = 0o700


@dataclass
class Found:
    """What was seen of a submission: entries, bytes, and the latest change by the kernel's own clock."""

    entries: int = 0
    size: int = 0
    changed_at: float = 0.0
    files: list[str] = field(default_factory=list)


def survey(folder: Path, rules: Rules) -> Found:
    """Look at all of `folder`; raises `RejectedFolder` for whatever `copied` would reject."""
    return _walked(folder, rules, None)


def copied(folder: Path, target: Path, rules: Rules, finish: Callable[[Path], None] = lambda draft: None) -> Found:
    """Copy `folder` to `target`, whole or not at all; the copy belongs to whoever runs this and is closed to others.

    `finish` works on the copy before it takes its place.
    """
    draft = target.with_name(f".{target.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=rules.folder_mode, parents=True)
    try:
        found = _walked(folder, rules, draft)
        finish(draft)
        if target.exists():
            shutil.rmtree(target)
        draft.replace(target)
        return found
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _walked(folder: Path, rules: Rules, target: Path | None) -> Found:
    found = Found()
    with _opened(str(folder), None, folder.name) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISDIR(status.st_mode):
            raise RejectedFolder("not a folder")
        _belongs(status, rules, "it")
        found.changed_at = status.st_ctime
        _walk(descriptor, rules, target, found, depth=0)
    return found


def _walk(folder: int, rules: Rules, target: Path | None, found: Found, *, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise RejectedFolder(f"folders nested over {DEPTH_MAX} deep")
    for name in _names(folder):
        found.entries += 1
        if found.entries > ENTRIES_MAX:
            raise RejectedFolder(f"over {ENTRIES_MAX:,} files and folders")
        with _opened(name, folder, name) as descriptor:
            _take(descriptor, name, rules, target, found, depth)


def _names(folder: int) -> Iterator[str]:
    with os.scandir(folder) as entries:
        yield from (each.name for each in entries)


def _take(descriptor: int, name: str, rules: Rules, target: Path | None, found: Found, depth: int) -> None:
    status = os.fstat(descriptor)
    is_folder = stat.S_ISDIR(status.st_mode)
    if not is_folder and not stat.S_ISREG(status.st_mode):
        raise RejectedFolder(f"{name} is no regular file")
    if not is_folder and status.st_nlink > 1:
        raise RejectedFolder(f"{name} is a hard link")
    _belongs(status, rules, name)
    found.changed_at = max(found.changed_at, status.st_ctime)
    if is_folder:
        inner = _made(target / name, rules) if target and rules.wanted(name, 0) else None
        _walk(descriptor, rules, inner, found, depth=depth + 1)
        return
    found.size += status.st_size
    if found.size > rules.bytes_max:
        raise RejectedFolder(f"over {rules.bytes_max:,} bytes")
    found.files.append(name)
    if target and rules.wanted(name, status.st_size):
        _copy(descriptor, target / name, rules, status.st_size)


def _made(folder: Path, rules: Rules) -> Path:
    folder.mkdir(mode=rules.folder_mode)
    return folder


def _copy(descriptor: int, target: Path, rules: Rules, size: int) -> None:
    """As many bytes as the file had when it was opened: one that grows on is cut, and never fills the disk."""
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, rules.file_mode)
    with os.fdopen(new, "wb") as copy:
        while size > 0 and (chunk := os.read(descriptor, min(size, CHUNK))):
            copy.write(chunk)
            size -= len(chunk)


def _belongs(status: os.stat_result, rules: Rules, name: str) -> None:
    if status.st_uid != rules.uid:
        raise RejectedFolder(f"{name} belongs to user {status.st_uid}")


@contextmanager
def _opened(name: str, folder: int | None, shown: str) -> Iterator[int]:
    try:
        descriptor = os.open(name, OPEN, dir_fd=folder)
    except OSError as problem:
        why = "is a link" if _is_link(name, folder) else f"cannot be opened ({problem.strerror})"
        raise RejectedFolder(f"{shown} {why}") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_link(name: str, folder: int | None) -> bool:
    with suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    return False
