"""A client of LineServer that reads in a thread, and what tests wait for and compare."""

import socket
import threading
import time
from collections.abc import Callable

from streamlab.sources.line_server import LineServer

DEADLINE_S = 20.0


class Reader:
    """A client that reads in its own thread and keeps the bytes."""

    def __init__(self, server: LineServer) -> None:
        self.connection = socket.create_connection((server.host, server.port))
        self.received = bytearray()
        self._count = 0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while piece := self._receive():
            with self._changed:
                self.received += piece
                self._count += piece.count(b"\n")
                self._changed.notify_all()

    def _receive(self) -> bytes:
        try:
            return self.connection.recv(1 << 16)
        except OSError:  # the test closed the connection
            return b""

    def lines(self, n: int) -> list[str]:
        with self._changed:
            assert self._changed.wait_for(lambda: self._count >= n, DEADLINE_S), self.received[-200:]
            return self.received.decode().removesuffix("\n").split("\n")

    def wait_end(self) -> bytearray:
        """Wait until the server closes the connection, and return all received bytes."""
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()
        self.connection.close()
        return self.received


def numbered(n: int) -> list[str]:
    return [f"line {i}" for i in range(n)]


def eventually(reached: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + DEADLINE_S
    while not reached():
        assert time.monotonic() < deadline_s, "not reached before the deadline"
        threading.Event().wait(0.005)


def adds_up(server: LineServer) -> bool:
    return all(each.offered == each.sent + each.dropped + each.waiting + each.lost for each in server.report().clients)
