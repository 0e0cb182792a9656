"""A store as a server that counts its calls, for jobs whose workers are separate processes.

It runs in a thread of the process that creates it; workers use `StoreClient(address)`. Requests and replies are one
line of JSON each.
"""

import json
import socket
import socketserver
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from streamlab.lab06_enrichment.events import Key, StoreError
from streamlab.own_host import own_host

HOST = own_host()
PATIENCE_S = 10.0
GOODBYE = b"goodbye\n"


class StoreServer(socketserver.ThreadingTCPServer):
    """Answers lookups, and keeps (number of the connection, requested keys) of each call in `calls`.

    `connections` counts all connections ever opened, `goodbyes` those that `StoreClient.close` ended (the garbage
    collector does not send a goodbye), and `open_connections` those that are open now. A call takes `distance_s`.
    """

    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64

    def __init__(self, rows: Mapping[Key, str], distance_s: float = 0.0) -> None:
        super().__init__((HOST, 0), _Conversation)
        self.rows, self.distance_s, self.lock = rows, distance_s, threading.Lock()
        self.calls: list[tuple[int, list[Key]]] = []
        self.connections = self.goodbyes = self.open_connections = 0
        threading.Thread(target=self.serve_forever, args=(0.02,), name="store", daemon=True).start()

    @property
    def address(self) -> str:
        """The address for clients, as host:port."""
        return f"{HOST}:{self.server_address[1]}"

    def rows_of(self, keys: list[Key]) -> list[str | None]:
        """Return the row of each key, or None for an unknown key."""
        return [self.rows.get(key) for key in keys]

    def close(self) -> None:
        """Stop the server and release its port."""
        self.shutdown()
        self.server_close()


class _Conversation(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    server: StoreServer

    def handle(self) -> None:
        with self.server.lock:
            self.server.connections += 1
            self.server.open_connections += 1
            number = self.server.connections
        with suppress(OSError):
            for line in self.rfile:
                if line == GOODBYE:
                    self._count_goodbye()
                else:
                    self._answer(number, [Key(*key) for key in json.loads(line)])
        with self.server.lock:
            self.server.open_connections -= 1

    def _count_goodbye(self) -> None:
        with self.server.lock:
            self.server.goodbyes += 1

    def _answer(self, number: int, keys: list[Key]) -> None:
        with self.server.lock:
            self.server.calls.append((number, keys))
        time.sleep(self.server.distance_s)
        self.wfile.write(json.dumps(self.server.rows_of(keys)).encode() + b"\n")


class StoreClient:
    """One connection, one call at a time; `close()` ends it. Raises StoreError if the server does not answer."""

    def __init__(self, address: str) -> None:
        host, port = address.rsplit(":", 1)
        self._socket = socket.create_connection((host, int(port)), PATIENCE_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""
        key_list = list(keys)
        try:
            self._socket.sendall(json.dumps(key_list).encode() + b"\n")
            rows: list[Any] = json.loads(self._answers.readline())
        except (OSError, ValueError) as problem:
            raise StoreError(f"the store does not answer: {problem}") from None
        return {key: row for key, row in zip(key_list, rows, strict=True) if row is not None}

    def close(self) -> None:
        """Send a goodbye and end the connection; a second call does nothing."""
        with suppress(OSError):
            self._socket.sendall(GOODBYE)
        self._answers.close()
        self._socket.close()
