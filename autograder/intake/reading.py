"""Reads a file that someone else may replace at any moment: opens it once, without following links, and reads it once.

All tests examine the open file, so swapping in a link or a pipe reveals nothing and does not block the judge.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.intake.safe_text import safe
from streamlab.notebooks.labfile import NOTEBOOK_BYTES_MAX

NAME_BYTES_MAX = 200
SENTENCE_CHARS = 300
NO_REGULAR_FILE = "no regular file"
# without O_NONBLOCK, opening a pipe would wait for its other end
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Rejected(ValueError):
    """The file cannot be judged; the text says why and is safe to print to a terminal.

    `lab` is the file's lab, as far as it is known. `digest` is the digest of the bytes that were read, or the reason
    why none were read.
    """

    def __init__(self, why: str, lab: str | None = None, digest: str = NO_REGULAR_FILE) -> None:
        super().__init__(safe(why, SENTENCE_CHARS))
        self.lab, self.digest = lab, digest


def read_once(path: Path, bytes_max: int = NOTEBOOK_BYTES_MAX) -> bytes:
    """Return all bytes of a regular file that has only one name. Raises `Rejected` for any other file."""
    _require_valid_name(path)
    with _opened(path) as descriptor:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Rejected(f"{path.name}: not a regular file")
        if status.st_nlink > 1:
            raise Rejected(f"{path.name}: a hard link (the file has {status.st_nlink} names); hand in a copy")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = b"" if status.st_size > bytes_max else file.read(bytes_max + 1)
    size = max(status.st_size, len(content))
    if size > bytes_max:
        raise Rejected(
            f"{path.name}: {size:,} bytes, and a notebook may have {bytes_max:,}", digest=f"too large: {size}"
        )
    return content


def digest_of(path: Path) -> str:
    """Return the digest of the bytes that `read_once` returns now, or the reason of its rejection."""
    try:
        return digest_of_bytes(read_once(path))
    except Rejected as problem:
        return problem.digest


def digest_of_bytes(content: bytes) -> str:
    """Return the SHA-256 of these bytes in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _require_valid_name(path: Path) -> None:
    try:
        size = len(path.name.encode("utf-8"))
    except UnicodeEncodeError:
        raise Rejected(f"{path.name!a}: the file's name is not UTF-8") from None
    if size > NAME_BYTES_MAX:
        raise Rejected(f"{path.name[:40]}…: a name of over {NAME_BYTES_MAX} bytes")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        descriptor = os.open(path, OPEN)
    except OSError as problem:
        if os.path.islink(path):  # also False if its folder cannot be entered
            raise Rejected(f"{path.name}: a symbolic link; hand in the file itself") from None
        if isinstance(problem, PermissionError | FileNotFoundError):
            reason = f"unreadable: {problem.strerror}"
            raise Rejected(f"{path.name}: cannot be read ({problem.strerror})", digest=reason) from None
        raise Rejected(f"{path.name}: not a regular file") from None  # a socket, a device without a driver
    try:
        yield descriptor
    finally:
        os.close(descriptor)
