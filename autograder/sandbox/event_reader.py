"""Read what a sandbox writes, within limits: events line by line, printed text only its tail.

Nothing read here is evaluated or unpickled; a line that is no JSON object of modest depth and size is dropped
and counted. What Python's parser would let through but JSON or UTF-8 cannot hold (NaN, 1e999, half of a surrogate
pair) never gets past here, so that whatever is made of an event can be written down again.
"""

import json
import math
import os
import queue
import re
import threading
from collections.abc import Callable
from typing import IO, Any

LINE_BYTES_MAX = 8 * 1024 * 1024
DEPTH_MAX = 20
BRACKETS_MAX = 200_000
TAIL_BYTES = 20_000
QUEUED_EVENTS_MAX = 10_000
_HALF_OF_A_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")


class LineReader:
    """Events from file descriptor `fd`, in `queue`; None is the end."""

    def __init__(self, fd: int, bytes_max: int, too_much: Callable[[str], None]) -> None:
        self.queue: queue.Queue[dict[str, Any] | None] = queue.Queue(QUEUED_EVENTS_MAX)
        self.dropped = 0
        self._stream = os.fdopen(fd, "rb", buffering=1024 * 1024)
        self._thread = threading.Thread(target=self._read, args=(bytes_max, too_much), daemon=True)
        self._thread.start()

    def _read(self, bytes_max: int, too_much: Callable[[str], None]) -> None:
        total = 0
        while line := self._stream.readline(LINE_BYTES_MAX):
            total += len(line)
            if total > bytes_max or not line.endswith(b"\n"):
                too_much(f"results over the limit of {bytes_max // 1024**2} MB")
                break
            event = parsed(line)
            if event is None:
                self.dropped += 1
            else:
                self._put(event, too_much)
        self._end()

    def _put(self, event: dict[str, Any], too_much: Callable[[str], None]) -> None:
        try:
            self.queue.put_nowait(event)
        except queue.Full:
            too_much(f"over {QUEUED_EVENTS_MAX} results at once")

    def _end(self) -> None:
        while True:
            try:
                return self.queue.put_nowait(None)
            except queue.Full:
                self.queue.get_nowait()

    def close(self) -> None:
        """Wait for the reader and close the pipe."""
        self._thread.join(5)
        if not self._thread.is_alive():
            self._stream.close()


class Tail:
    """The last `TAIL_BYTES` of what was printed; over `bytes_max` in all, the sandbox is ended."""

    def __init__(self, stream: IO[bytes] | None, bytes_max: int, too_much: Callable[[str], None]) -> None:
        assert stream is not None
        self._stream, self._kept = stream, b""
        self._thread = threading.Thread(target=self._read, args=(bytes_max, too_much), daemon=True)
        self._thread.start()

    def _read(self, bytes_max: int, too_much: Callable[[str], None]) -> None:
        total = 0
        while chunk := os.read(self._stream.fileno(), 65536):
            total += len(chunk)
            self._kept = (self._kept + chunk)[-TAIL_BYTES:]
            if total > bytes_max:
                too_much(f"printed over {bytes_max // 1024**2} MB")
                break

    @property
    def text(self) -> str:
        """The kept tail."""
        return self._kept.decode("utf-8", "replace")

    def close(self) -> None:
        """Wait for the reader and close the pipe."""
        self._thread.join(5)
        if not self._thread.is_alive():
            self._stream.close()


def parsed(line: bytes) -> dict[str, Any] | None:
    """One line as a JSON object, or None where it is none, too deep or of too many parts."""
    if line.count(b"[") + line.count(b"{") > BRACKETS_MAX or deeper_than(line, DEPTH_MAX):
        return None
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=lambda name: None, parse_float=_finite)
        if _HALF_OF_A_PAIR.search(line):
            value = writable(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("event"), str) else None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def writable(value: Any) -> Any:
    """A JSON value, the same with each half of a surrogate pair spelled out: UTF-8 cannot hold one."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [writable(each) for each in value]
    if isinstance(value, dict):
        return {writable(key): writable(each) for key, each in value.items()}
    return value


def deeper_than(line: bytes, limit: int) -> bool:
    """Whether brackets nest over `limit` deep (those within strings count too, which only errs on the safe side).

    A sound line is not dropped for brackets in its strings: those are counted only where the cheap count is over.
    """
    depth = deepest = 0
    in_string = escaped = False
    if line.count(b"[") + line.count(b"{") <= limit:
        return False
    for byte in line:
        if in_string:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                in_string = False
        elif byte == 0x22:
            in_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest > limit
