"""Recorded tweets, and the server that plays tweets over TCP.

A recording is a UTF-8 file with one message per line, plain or compressed with gzip. The kit has one, an hour of
6 000 lines: `recorded_tweets()`. `./lab dataset tweets --to FILE` makes more.
`TweetServer` is the Twitter client of the slides, except for its source: it collects, cleans and transmits tweets.
Slides: CS205, lecture C.3, https://harvard-iacs.github.io/2020-CS205/lectures/C3/
"""

import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from streamlab.sources.line_server import LineServer

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "lab02_windows" / "tweets" / "boston_hour.jsonl.gz"
GZIP_MAGIC = b"\x1f\x8b"
OTHER_ARCHIVES = {b"PK\x03\x04": "a zip archive", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
LINE_BREAKS = re.compile(r"[\r\n]+")
HALF_PAIRS = re.compile("[\ud800-\udfff]")  # JSON can spell half of a surrogate pair, UTF-8 cannot hold it


@dataclass(frozen=True)
class Recording:
    """A written file. The checksum is that of its uncompressed lines."""

    path: Path
    lines: int
    line_bytes: int
    file_bytes: int
    sha256: str


def recorded_tweets(path: str | Path = SAMPLE) -> Iterator[str]:
    """Yield the lines of a recorded file without their ends, read as needed; by default those of the kit's hour.

    Bytes that are not UTF-8 become U+FFFD; a broken line is a line like any other. Raises at once FileNotFoundError for
    a missing file, OSError for an unreadable file, ValueError for another kind of archive. Raises ValueError later, at
    the place where a compressed file is broken.
    Example: len(list(recorded_tweets())) -> 6000
    """
    path = Path(path)
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise FileNotFoundError(f"no file {path}; `./lab dataset tweets --to FILE` makes one") from None
    start = file.peek(6)
    is_gzip = start.startswith(GZIP_MAGIC)
    found = next((name for magic, name in OTHER_ARCHIVES.items() if start.startswith(magic)), None)
    if found or (path.suffix == ".gz" and start and not is_gzip):
        file.close()
        found = found or "not compressed by gzip, though its name says so"
        raise ValueError(f"{path} is {found}; expected lines of text, plain or compressed by gzip")
    return _lines(path, file, is_gzip)


def _lines(path: Path, file: BufferedReader, is_gzip: bool) -> Iterator[str]:
    complete = 0
    with file, gzip.open(file) if is_gzip else file as content:
        try:
            for line in content:  # in bytes, only line feeds end a line; in text, other characters do, too
                yield line.decode(errors="replace").removesuffix("\n").removesuffix("\r")
                complete += 1
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            raise ValueError(f"{path} is broken after line {complete}: {problem}; copy or make it again") from None


def write_recording(lines: Iterable[str], path: Path) -> Recording:
    """Write the lines to `path` atomically, compressed if its name ends in .gz.

    Raises OSError if it cannot be written. Equal lines give equal bytes (compressed: with the same zlib).
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    count, line_bytes, digest = 0, 0, hashlib.sha256()
    try:
        with partial.open("wb") as file:
            # Neither a time nor a name in the header: equal lines, equal bytes.
            packed = gzip.GzipFile("", "wb", 9, file, mtime=0) if path.suffix == ".gz" else nullcontext(file)
            with packed as target:
                for line in lines:
                    encoded = f"{line}\n".encode()
                    target.write(encoded)
                    digest.update(encoded)
                    count, line_bytes = count + 1, line_bytes + len(encoded)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return Recording(path, count, line_bytes, path.stat().st_size, digest.hexdigest())


class TweetServer(LineServer):
    """Plays tweets, cleaned by `clean`, to all clients at `rate_per_s` lines sent per second.

    `clean` gets an original line and returns the text to transmit, or None to discard it; `tweet_text` of lab 2 is an
    example. Without it, lines are sent unchanged. A line break within a text becomes a blank, since one line is one
    tweet; half of a surrogate pair becomes U+FFFD. `collected` and `discarded` count lines; the rest is LineServer's.
    Raises ValueError as LineServer does. An exception of `clean` is raised in the thread that waits, with the line.

    Example:
        with TweetServer(tweets("demo", 600), rate_per_s=50, clean=tweet_text) as server:
            texts = ssc.socketTextStream(server.host, server.port)
    """

    def __init__(
        self,
        tweets: Iterable[str],
        rate_per_s: float | None = None,
        clean: Callable[[str], str | None] | None = None,
        **how: Any,
    ) -> None:
        if isinstance(tweets, str):
            raise ValueError("tweets is one string; pass lines: recorded_tweets(path), or tweets(seed, count)")
        if how.get("loop"):
            raise ValueError("loop is not for tweets: the same tweets would come again as if they were new")
        self.collected = 0
        self.discarded = 0
        super().__init__(self._cleaned(tweets, clean), rate_per_s, **how)

    def _cleaned(self, tweets: Iterable[str], clean: Callable[[str], str | None] | None) -> Iterator[str]:
        for line in tweets:
            self.collected += 1
            text = _called(clean, line) if clean else line
            if text is None:
                self.discarded += 1
            else:  # LineServer rejects values that are not texts
                yield HALF_PAIRS.sub("\ufffd", LINE_BREAKS.sub(" ", text)) if isinstance(text, str) else text


def _called(clean: Callable[[str], str | None], line: str) -> str | None:
    name = getattr(clean, "__name__", "clean")
    try:
        text = clean(line)
    except Exception as problem:
        problem.add_note(f"raised by {name} for the line {line!r:.200}")
        raise
    if text is not None and not isinstance(text, str):
        raise ValueError(f"{name} must return a text or None, got {text!r:.60} for the line {line!r:.200}")
    return text
