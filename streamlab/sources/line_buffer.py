"""The bounded buffer between a source and one client, and the encoding of lines. It uses neither sockets nor threads.

The caller guards a buffer with its own lock.
"""

import itertools
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from streamlab.sources.line_report import ClientReport

SEND_BYTES = 64 * 1024  # small sends are slow: on loopback, 64 KiB at a time give 60 times the throughput of 100 bytes


@dataclass
class LineBuffer:
    """At most `capacity` encoded lines that wait for one client, and counters of all other lines."""

    client: str
    capacity: int
    waiting: deque[bytes] = field(default_factory=deque)
    connected: bool = True
    offered: int = 0
    sent: int = 0
    dropped: int = 0
    lost: int = 0

    @property
    def room(self) -> int:
        """The number of lines that still fit in."""
        return self.capacity - len(self.waiting)

    def offer(self, lines: list[bytes]) -> None:
        """Keep as many lines as fit; drop the rest, which are the newest."""
        accepted = lines[: self.room]
        self.waiting.extend(accepted)
        self.offered += len(lines)
        self.dropped += len(lines) - len(accepted)

    def next_send(self) -> list[bytes]:
        """Return the oldest lines that fit into one send, at least one. They stay in the buffer until they are sent."""
        size_bytes = 0
        for count, line in enumerate(self.waiting):
            size_bytes += len(line)
            if count and size_bytes > SEND_BYTES:
                return list(itertools.islice(self.waiting, count))
        return list(self.waiting)

    def was_sent(self, count: int) -> None:
        """Remove the `count` oldest lines, which were sent."""
        for _ in range(count):
            self.waiting.popleft()
        self.sent += count

    def disconnect(self) -> None:
        """Record the end of the connection; the lines that still wait are lost."""
        self.connected = False
        self.lost += len(self.waiting)
        self.waiting.clear()

    def report(self) -> ClientReport:
        """Return the current counters."""
        waiting = len(self.waiting)
        return ClientReport(self.client, self.connected, self.offered, self.sent, self.dropped, waiting, self.lost)


def encoded_lines(lines: Iterable[str], loop: bool) -> Iterator[bytes]:
    """Return the lines as UTF-8, each with its line feed. A list is checked now, an iterator as it is read.

    Raises ValueError for values that would not arrive as one line of text: no str, a line break inside, a lone
    surrogate.
    Example: list(encoded_lines(["né"], loop=False)) -> [b"n\\xc3\\xa9\\n"]
    """
    if isinstance(lines, str):
        raise ValueError("lines is one string; pass a list of lines: text.splitlines()")
    if isinstance(lines, Iterator) and not loop:
        return map(_encoded, lines)
    encoded = [_encoded(line) for line in lines]
    return itertools.cycle(encoded) if loop else iter(encoded)


def _encoded(line: str) -> bytes:
    if not isinstance(line, str):
        raise ValueError(f"each line must be a str, got {type(line).__name__}: {line!r:.60}")
    if "\n" in line or "\r" in line[:-1]:
        raise ValueError(f"a line must not hold a line break, got {line!r:.60}; split the text first")
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:
        raise ValueError(f"a line must be text that UTF-8 can hold, got {line!r:.60}") from None
