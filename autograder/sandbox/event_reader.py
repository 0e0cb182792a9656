"""Read a sandbox's output within limits: events line by line, of printed text only the tail.

Nothing read here is evaluated or unpickled. A line that is not a JSON object of modest depth and size is dropped and
counted. Python's parser accepts values that JSON or UTF-8 cannot hold (NaN, 1e999, half of a surrogate pair); they are
replaced here, so that every event can be written as JSON again.
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
    """A thread that puts the events from file descriptor `fd` into `queue`; None marks the end."""

    def __init__(self, fd: int, bytes_max: int, on_limit: Callable[[str], None]) -> None:
        self.queue: queue.Queue[dict[str, Any] | None] = queue.Queue(QUEUED_EVENTS_MAX)
        self.dropped = 0
        self._stream = os.fdopen(fd, "rb", buffering=1024 * 1024)
        self._thread = threading.Thread(target=self._read, args=(bytes_max, on_limit), daemon=True)
        self._thread.start()

    def _read(self, bytes_max: int, on_limit: Callable[[str], None]) -> None:
        total = 0
        while line := self._stream.readline(LINE_BYTES_MAX):
            total += len(line)
            if total > bytes_max or not line.endswith(b"\n"):
                on_limit(f"results over the limit of {bytes_max // 1024**2} MB")
                break
            event = parsed(line)
            if event is None:
                self.dropped += 1
            else:
                self._put(event, on_limit)
        self._end()

    def _put(self, event: dict[str, Any], on_limit: Callable[[str], None]) -> None:
        try:
            self.queue.put_nowait(event)
        except queue.Full:
            on_limit(f"over {QUEUED_EVENTS_MAX} results at once")

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
    """The last `TAIL_BYTES` of the printed text; calls `on_limit(cause)` if more than `bytes_max` are printed."""

    def __init__(self, stream: IO[bytes] | None, bytes_max: int, on_limit: Callable[[str], None]) -> None:
        assert stream is not None
        self._stream, self._kept = stream, b""
        self._thread = threading.Thread(target=self._read, args=(bytes_max, on_limit), daemon=True)
        self._thread.start()

    def _read(self, bytes_max: int, on_limit: Callable[[str], None]) -> None:
        total = 0
        while chunk := os.read(self._stream.fileno(), 65536):
            total += len(chunk)
            self._kept = (self._kept + chunk)[-TAIL_BYTES:]
            if total > bytes_max:
                on_limit(f"printed over {bytes_max // 1024**2} MB")
                break

    @property
    def text(self) -> str:
        """The tail, decoded as UTF-8."""
        return self._kept.decode("utf-8", "replace")

    def close(self) -> None:
        """Wait for the reader and close the pipe."""
        self._thread.join(5)
        if not self._thread.is_alive():
            self._stream.close()


def parsed(line: bytes) -> dict[str, Any] | None:
    """Return one line as a JSON object; None if it is not an event, nests too deep or has too many parts."""
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
    """Return a JSON value with each half of a surrogate pair escaped, since UTF-8 cannot encode one."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [writable(each) for each in value]
    if isinstance(value, dict):
        return {writable(key): writable(each) for key, each in value.items()}
    return value


def deeper_than(line: bytes, limit: int) -> bool:
    """Return whether brackets nest more than `limit` deep. Brackets within strings do not count.

    Most lines have so few brackets that counting them all, which is cheap, settles it.
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
