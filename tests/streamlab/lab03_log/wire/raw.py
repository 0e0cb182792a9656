"""A client that sends any bytes, valid or not, and returns the raw response; None means the server disconnected."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka.protocol.api_header import ResponseClassRegistry
from kafka.protocol.api_message import ApiMessage

ANSWER_LIMIT_S = 20.0
SIZE = struct.Struct(">i")


class RawClient:
    """One connection; requests are numbered from 1."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._sent = connection, 0

    def ask(self, request: ApiMessage, version: int) -> Any:
        """Send a request and return the answer, decoded."""
        answer = self.ask_bytes(self.encoded(request, version))
        if answer is None:
            return None
        kind = ResponseClassRegistry._response_class_registry[request.API_KEY]
        return kind.decode(answer, version=version, header=True)

    def encoded(self, request: ApiMessage, version: int) -> bytes:
        """Return the bytes of a request, without the size prefix."""
        self._sent += 1
        request.API_VERSION = version
        request.with_header(correlation_id=self._sent, client_id="raw")
        return bytes(request.encode(header=True))

    def ask_bytes(self, request: bytes) -> bytes | None:
        """Send these bytes after their size, and return the response."""
        return self.ask_as_it_is(SIZE.pack(len(request)) + request)

    def ask_as_it_is(self, sent: bytes) -> bytes | None:
        """Send exactly these bytes, and return the response."""
        try:
            self.send(sent)
            return self._answer()
        except ConnectionError:
            return None

    def send(self, sent: bytes) -> None:
        """Send these bytes without waiting for a response."""
        self._connection.sendall(sent)

    def _answer(self) -> bytes | None:
        size = self._read(SIZE.size)
        return None if size is None else self._read(SIZE.unpack(size)[0])

    def _read(self, size_bytes: int) -> bytes | None:
        read = bytearray()
        while len(read) < size_bytes:
            more = self._connection.recv(size_bytes - len(read))
            if not more:
                return None
            read += more
        return bytes(read)


@contextmanager
def raw_client(address: str) -> Iterator[RawClient]:
    """Yield a client that stays connected until the end of the block."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), ANSWER_LIMIT_S) as connection:
        yield RawClient(connection)
