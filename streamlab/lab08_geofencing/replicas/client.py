"""The client of a replica in another process."""

import socket
from contextlib import suppress
from typing import Any

from streamlab.lab08_geofencing.geo import Answer, Polygons
from streamlab.lab08_geofencing.replicas.messages import LINE_BYTES, Question, question_line, read_reply
from streamlab.own_host import LOOPBACK


class RemoteReplica:
    """A replica that listens on `port`, with the interface of a `Replica`. The connection stays open between questions.

    Only one thread may use a client. `timeout_s` limits how long one question may take.
    """

    def __init__(self, port: int, timeout_s: float = 2.0) -> None:
        self._port, self._timeout_s = port, timeout_s
        self._file: Any = None

    def within(self, polygons: Polygons, since_ms: int | None = None, at_least: dict[int, int] | None = None) -> Answer:
        """Return the replica's answer.

        Raises ConnectionError if the replica is dead, TimeoutError if it takes too long (both are OSErrors),
        NotCaughtUp, ValueError for an invalid question, and RuntimeError if the replica's own code fails.
        """
        line = question_line(Question(polygons, since_ms, at_least))
        try:
            reply = self._exchange(line)
        except OSError:
            self.close()
            raise
        return read_reply(reply)

    def close(self) -> None:
        """Close the connection; the next question opens a new one."""
        if self._file is not None:
            with suppress(OSError):  # a broken connection cannot send its remaining bytes
                self._file.close()
            self._file = None

    def _exchange(self, line: bytes) -> bytes:
        if self._file is None:
            self._file = self._connected()
        self._file.write(line)
        self._file.flush()
        reply: bytes = self._file.readline(LINE_BYTES)
        if not reply.endswith(b"\n"):
            raise ConnectionResetError(f"the replica on port {self._port} closed the connection")
        return reply

    def _connected(self) -> Any:
        try:
            connection = socket.create_connection((LOOPBACK, self._port), self._timeout_s)
        except ConnectionRefusedError:
            raise ConnectionRefusedError(f"no replica listens on port {self._port}") from None
        with connection:  # the file keeps the connection open
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection.makefile("rwb")
