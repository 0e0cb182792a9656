"""Survey and copy a folder that a student can still change: each entry is opened once, by descriptor, without links.

Even if the student swaps files during the copy, the copy holds only bytes of regular files that belong to the student.
The size, the number of entries and the depth are bounded.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.intake.reading import OPEN

ENTRIES_MAX, DEPTH_MAX, CHUNK = 2_000, 8, 1 << 20


class RejectedFolder(ValueError):
    """Raised if a folder cannot be collected; the text says why."""


@dataclass
class Rules:
    """The rules for a submission: its owner's uid, its maximum size, and which files to copy.

    The copy has the files for which `wanted(name, size)` is true, with the permissions `file_mode` and `folder_mode`.
    """

    uid: int
    bytes_max: int
    wanted: Callable[[str, int], bool]
    file_mode: int
    folder_mode: int


@dataclass
class Survey:
    """What a folder holds: how many entries and bytes, and the latest change by the kernel's clock."""

    entries: int = 0
    size: int = 0
    changed_at: float = 0.0


def survey(folder: Path, rules: Rules) -> Survey:
    """Inspect everything in `folder`; raises `RejectedFolder` if `copied` would reject it."""
    return _walked(folder, rules, None)


def copied(folder: Path, target: Path, rules: Rules, finish: Callable[[Path], None]) -> None:
    """Copy `folder` to `target`, completely or not at all; the copy belongs to this process's user, closed to others.

    `finish` changes the copy before it takes its place. Raises `RejectedFolder` if the folder breaks the rules.
    """
    draft = target.with_name(f".{target.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=rules.folder_mode, parents=True)
    try:
        _walked(folder, rules, draft)
        finish(draft)
        if target.exists():
            shutil.rmtree(target)
        draft.replace(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _walked(folder: Path, rules: Rules, target: Path | None) -> Survey:
    found = Survey()
    with _opened(str(folder), None, folder.name) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISDIR(status.st_mode):
            raise RejectedFolder("not a folder")
        _require_owner(status, rules, "it")
        found.changed_at = status.st_ctime
        _walk(descriptor, rules, target, found, depth=0)
    return found


def _walk(folder: int, rules: Rules, target: Path | None, found: Survey, *, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise RejectedFolder(f"folders nested more than {DEPTH_MAX} deep")
    for name in _names(folder):
        found.entries += 1
        if found.entries > ENTRIES_MAX:
            raise RejectedFolder(f"more than {ENTRIES_MAX:,} files and folders")
        with _opened(name, folder, name) as descriptor:
            _take(descriptor, name, rules, target, found, depth)


def _names(folder: int) -> Iterator[str]:
    with os.scandir(folder) as entries:
        yield from (each.name for each in entries)


def _take(descriptor: int, name: str, rules: Rules, target: Path | None, found: Survey, depth: int) -> None:
    status = os.fstat(descriptor)
    is_folder = stat.S_ISDIR(status.st_mode)
    if not is_folder and not stat.S_ISREG(status.st_mode):
        raise RejectedFolder(f"{name} is not a regular file")
    if not is_folder and status.st_nlink > 1:
        raise RejectedFolder(f"{name} is a hard link")
    _require_owner(status, rules, name)
    found.changed_at = max(found.changed_at, status.st_ctime)
    if is_folder:
        inner = _new_folder(target / name, rules) if target and rules.wanted(name, 0) else None
        _walk(descriptor, rules, inner, found, depth=depth + 1)
        return
    found.size += status.st_size
    if found.size > rules.bytes_max:
        raise RejectedFolder(f"more than {rules.bytes_max:,} bytes")
    if target and rules.wanted(name, status.st_size):
        _copy(descriptor, target / name, rules, status.st_size)


def _new_folder(folder: Path, rules: Rules) -> Path:
    folder.mkdir(mode=rules.folder_mode)
    return folder


def _copy(descriptor: int, target: Path, rules: Rules, size: int) -> None:
    """Copy `size` bytes, the file's size when it was opened: a file that grows is cut, and cannot fill the disk."""
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, rules.file_mode)
    with os.fdopen(new, "wb") as copy:
        while size > 0 and (chunk := os.read(descriptor, min(size, CHUNK))):
            copy.write(chunk)
            size -= len(chunk)


def _require_owner(status: os.stat_result, rules: Rules, name: str) -> None:
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
