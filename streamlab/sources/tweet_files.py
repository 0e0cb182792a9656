"""Recorded tweets: a file with one line a message, UTF-8, plain or compressed by gzip.

The kit brings one, an hour of 6 000 lines: `recorded_tweets()`. `./lab dataset tweets --to FILE` makes more of them.
Keeps out: what the lines are (`tweets`).
"""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "tweets" / "boston_hour.jsonl.gz"
GZIP_MAGIC = b"\x1f\x8b"
OTHER_ARCHIVES = {b"PK\x03\x04": "a zip archive", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True)
class Recording:
    """A file that was written. The checksum is that of its lines: equal however they were compressed."""

    path: Path
    lines: int
    line_bytes: int
    file_bytes: int
    sha256: str


def recorded_tweets(path: str | Path = SAMPLE) -> Iterator[str]:
    """The lines of a recorded file, without their ends, read as they are asked for; without `path` the kit's own hour.

    Whatever is no UTF-8 becomes U+FFFD; a broken line is a line like any other. Raises, when called, FileNotFoundError
    for a file that is not there, OSError for one that cannot be read, ValueError for another kind of archive; and
    ValueError, when it is reached, for the place where a compressed file is broken.
    Example: len(list(recorded_tweets())) -> 6000
    """
    path = Path(path)
    file = _opened(path)
    magic = file.peek(6)[:6]
    for other, name in OTHER_ARCHIVES.items():
        if magic.startswith(other):
            file.close()
            raise ValueError(f"{path} is {name}; expected lines of text, plain or compressed by gzip")
    if path.suffix == ".gz" and magic and not magic.startswith(GZIP_MAGIC):
        file.close()
        raise ValueError(f"{path} is not compressed by gzip, though its name says so; drop the .gz if it is plain text")
    return _lines(path, file, is_gzip=magic.startswith(GZIP_MAGIC))


def write_recording(lines: Iterable[str], path: Path) -> Recording:
    """Write the lines to `path`, compressed if its name ends in .gz; the file is there whole or not at all.

    Raises OSError if it cannot be written. Equal lines give equal bytes (compressed: with the same zlib).
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            count, line_bytes, sha256 = _write(lines, file, compressed=path.suffix == ".gz")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return Recording(path, count, line_bytes, path.stat().st_size, sha256)


def _opened(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise FileNotFoundError(f"no file {path}; `./lab dataset tweets --to FILE` makes one") from None
    except OSError as problem:
        raise type(problem)(problem.errno, f"cannot read {path}: {problem.strerror}") from None


def _lines(path: Path, file: BufferedReader, is_gzip: bool) -> Iterator[str]:
    whole = 0
    with file, gzip.open(file) if is_gzip else file as content:
        try:
            for line in content:  # bytes end a line at line feeds only; a text has more ends of lines
                yield line.decode(errors="replace").removesuffix("\n").removesuffix("\r")
                whole += 1
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            why = f"{path} is broken after line {whole}: {problem}; copy it again, or make it anew"
            raise ValueError(why) from None


def _write(lines: Iterable[str], file: IO[bytes], compressed: bool) -> tuple[int, int, str]:
    """How many lines and bytes were written, and the checksum of these bytes."""
    count = line_bytes = 0
    digest = hashlib.sha256()
    # Neither a time nor a name in the header: equal lines, equal bytes.
    packed = gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) if compressed else None
    for line in lines:
        encoded = f"{line}\n".encode()
        (packed or file).write(encoded)
        digest.update(encoded)
        count, line_bytes = count + 1, line_bytes + len(encoded)
    if packed:
        packed.close()
    return count, line_bytes, digest.hexdigest()
