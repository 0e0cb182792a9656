"""A TCP server that plays lines to all clients, as `nc -lk 9999` does on the slides, and counts the lines.

The source is open-loop: line i is due i / rate_per_s seconds after the start, regardless of the clients. Between the
source and each client is a buffer of `buffer_lines`. The policy decides what happens when the buffer is full:

- "block": the source is blocked until every client has room (and, once it has started, while no client is connected).
  It drops no line. Lines that are late follow as fast as the clients take them.
- "drop": the source plays on. A line that finds a client's buffer full is dropped for that client; a line that finds
  no client at all is unheard.

A client gets every line that is offered from its connection on. After the last line the connections stay open, as
nc's do; `close` closes them at once. The operating system's socket buffers (up to some MB) come on top of the buffer.
TCP does not reveal whether a client that disconnected had read all lines that were sent to it.
"""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Self

from streamlab.own_host import own_host
from streamlab.sources.line_buffer import LineBuffer, encoded_lines
from streamlab.sources.line_report import Report

HAND_OVER_EVERY_S = 0.005  # handing over each line separately would cost more than sending it
HAND_OVER_LINES = 4096
ACCEPT_POLL_S = 0.1
CLOSE_TIMEOUT_S = 5.0  # the source's thread needs longer only if a generator hangs


@dataclass
class _Client:
    """One connection and the buffer in front of it; the buffer is guarded by the server's lock."""

    connection: socket.socket
    buffer: LineBuffer


class LineServer:
    """Plays `lines` on `host`:`port` as soon as `wait_for_clients` clients are connected (0: at once).

    `host` None is `own_host()`; `rate_per_s` None means as fast as the clients take them; `port` 0 lets the system
    choose one, see `.port`. `loop` starts over after the last line. A list is checked now; a generator is read while it
    is played, at a tenth of the speed at best. A line must be a str without a line break; a carriage return at its end
    is allowed, since Spark reads both line endings.
    Raises ValueError for an invalid argument, OSError if the port is taken.

    Example:
        with LineServer(["to be", "or not"], rate_per_s=10) as server:
            counts = word_counts(ssc.socketTextStream(server.host, server.port))
            ...
            server.wait_sent(2, timeout_s=5)
    """

    def __init__(
        self,
        lines: Iterable[str],
        rate_per_s: float | None = None,
        policy: Literal["block", "drop"] = "block",
        buffer_lines: int = 1000,
        host: str | None = None,
        port: int = 0,
        loop: bool = False,
        wait_for_clients: int = 1,
    ) -> None:
        _reject_bad(rate_per_s, policy, buffer_lines, port, wait_for_clients)
        self._lines = encoded_lines(lines, loop)
        self._read_as_played = isinstance(lines, Iterator)  # its next line may take long: send each line at once
        self.rate_per_s = rate_per_s
        self.policy = policy
        self.buffer_lines = buffer_lines
        self._wait_for_clients = wait_for_clients
        self._clients: list[_Client] = []
        self._played = self._unheard = 0
        self._blocked_s = self._late_s = 0.0
        self._started_s: float | None = None
        self._ended_s: float | None = None
        self._blocked_since_s: float | None = None
        self._error: Exception | None = None
        self._closing = threading.Event()
        self._changed = threading.Condition()
        self._listener = _listen(host or own_host(), port)
        self.host, self.port = self._listener.getsockname()[:2]
        self._threads = [self._thread(self._accept), self._thread(self._play)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:
            self._raise_source_error()

    def report(self) -> Report:
        """Return the lines that were offered, sent and dropped, and the time that the source was blocked, until now."""
        with self._changed:
            now_s = time.monotonic()
            started_s = now_s if self._started_s is None else self._started_s
            blocked_s = self._blocked_s + (now_s - self._blocked_since_s if self._blocked_since_s is not None else 0.0)
            return Report(
                played=self._played,
                unheard=self._unheard,
                blocked_s=blocked_s,
                late_s=self._late_s,
                playing_s=(now_s if self._ended_s is None else self._ended_s) - started_s,
                clients=tuple(client.buffer.report() for client in self._clients),
            )

    def wait_clients(self, n: int, timeout_s: float) -> None:
        """Return when `n` clients are connected; raises TimeoutError after `timeout_s`."""
        self._wait(lambda: len(self._listening()) >= n, timeout_s, f"{n} clients connected")

    def wait_sent(self, n: int, timeout_s: float) -> None:
        """Return when `n` lines have been sent (over all clients); raises TimeoutError after `timeout_s`."""
        self._wait(lambda: self._sent() >= n, timeout_s, f"{n} lines sent", hopeless=self._is_done)

    def wait_done(self, timeout_s: float) -> None:
        """Return when the last line was played and all buffers are empty; raises TimeoutError after `timeout_s`."""
        self._wait(self._is_done, timeout_s, "all lines played and sent")

    def close(self) -> None:
        """Close all connections and end all threads. Lines that still wait in buffers are lost."""
        with self._changed:
            self._closing.set()
            for client in self._clients:
                _hang_up(client.connection)
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(CLOSE_TIMEOUT_S)
        self._listener.close()

    def _thread(self, run: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=run, args=arguments, name=f"LineServer:{self.port}", daemon=True)
        thread.start()
        return thread

    def _wait(
        self, reached: Callable[[], bool], timeout_s: float, what: str, hopeless: Callable[[], bool] = lambda: False
    ) -> None:
        with self._changed:
            self._changed.wait_for(lambda: reached() or hopeless() or self._error is not None, timeout_s)
            is_reached = reached()
        self._raise_source_error()
        if not is_reached:
            raise TimeoutError(f"expected {what} within {timeout_s:g} s, but: {self.report()}")

    def _raise_source_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _listening(self) -> list[LineBuffer]:
        """Return the buffers of the connected clients."""
        return [client.buffer for client in self._clients if client.buffer.connected]

    def _sent(self) -> int:
        return sum(client.buffer.sent for client in self._clients)

    def _is_done(self) -> bool:
        return self._ended_s is not None and not any(client.buffer.waiting for client in self._clients)

    # The accepting thread, and one sending thread for each client.

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, address = self._listener.accept()
            except OSError:  # no client within ACCEPT_POLL_S, or a client that gave up before it was accepted
                continue
            self._add_client(connection, f"{address[0]}:{address[1]}")

    def _add_client(self, connection: socket.socket, address: str) -> None:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = _Client(connection, LineBuffer(address, self.buffer_lines))
        with self._changed:
            self._clients.append(client)
            self._changed.notify_all()
        self._threads.append(self._thread(self._send, client))

    def _send(self, client: _Client) -> None:
        with client.connection:
            while lines := self._next_send(client.buffer):
                try:
                    client.connection.sendall(b"".join(lines))
                except OSError:  # the client disconnected, or close() closed the connection
                    break
                with self._changed:
                    client.buffer.was_sent(len(lines))
                    self._changed.notify_all()
        with self._changed:
            client.buffer.disconnect()
            self._changed.notify_all()

    def _next_send(self, buffer: LineBuffer) -> list[bytes]:
        """Wait for lines in this buffer and return the next ones; [] when the server closes."""
        with self._changed:
            self._changed.wait_for(lambda: buffer.waiting or self._closing.is_set())
            return [] if self._closing.is_set() else buffer.next_send()

    # The source's thread.

    def _play(self) -> None:
        try:
            self._await_start()
            while lines := self._next_lines():
                self._await_due(self._played + len(lines) - 1)
                self._offer(lines)
        except Exception as error:
            self._error = error
        with self._changed:
            self._ended_s = time.monotonic()
            self._changed.notify_all()

    def _await_start(self) -> None:
        with self._changed:
            enough = self._wait_for_clients
            self._changed.wait_for(lambda: len(self._listening()) >= enough or self._closing.is_set())
            self._started_s = time.monotonic()

    def _next_lines(self) -> list[bytes]:
        """Return the lines to hand over next; [] after the last line, and when the server closes."""
        return [] if self._closing.is_set() else list(itertools.islice(self._lines, self._hand_over_lines()))

    def _hand_over_lines(self) -> int:
        """Return the number of lines to hand over at a time, small enough for a burst to fit easily into a buffer."""
        if self._read_as_played:
            return 1
        if self.rate_per_s is None:
            return min(self.buffer_lines, HAND_OVER_LINES)
        return max(1, int(min(self.rate_per_s * HAND_OVER_EVERY_S, self.buffer_lines / 4, HAND_OVER_LINES)))

    def _await_due(self, index: int) -> None:
        """Wait for the intended time of line `index`, counted from the start, not from the previous line."""
        if self.rate_per_s is None or self._started_s is None:
            return
        early_s = self._started_s + index / self.rate_per_s - time.monotonic()
        if early_s > 0:
            self._closing.wait(early_s)
        self._late_s = max(0.0, -early_s)

    def _offer(self, lines: list[bytes]) -> None:
        with self._changed:
            while lines and not self._closing.is_set():
                count = len(lines) if self.policy == "drop" else self._await_room()
                ready, lines = lines[:count], lines[count:]
                listening = self._listening()
                for buffer in listening:
                    buffer.offer(ready)
                self._played += len(ready)
                self._unheard += 0 if listening else len(ready)
                self._changed.notify_all()

    def _await_room(self) -> int:
        """Wait until every client has room for a line; return the room. The waiting time counts as blocked."""
        if not self._room():
            self._blocked_since_s = time.monotonic()
            self._changed.wait_for(lambda: self._room() or self._closing.is_set())
            self._blocked_s += time.monotonic() - self._blocked_since_s
            self._blocked_since_s = None
        return self._room()

    def _room(self) -> int:
        return min((buffer.room for buffer in self._listening()), default=0)


def _reject_bad(rate_per_s: float | None, policy: str, buffer_lines: int, port: int, wait_for_clients: int) -> None:
    if rate_per_s is not None and not 0 < rate_per_s < float("inf"):
        raise ValueError(f"rate_per_s must be a positive number, or None for no limit; got {rate_per_s}")
    if policy not in ("block", "drop"):
        raise ValueError(f'policy must be "block" or "drop", got {policy!r}')
    if policy == "drop" and rate_per_s is None:
        raise ValueError('policy "drop" needs rate_per_s: without one all lines are due at once and most are dropped')
    if buffer_lines < 1:
        raise ValueError(f"buffer_lines must be at least 1, got {buffer_lines}")
    if not 0 <= port <= 65535:
        raise ValueError(f"port must be in 0 … 65535 (0: the system chooses), got {port}")
    if wait_for_clients < 0:
        raise ValueError(f"wait_for_clients must be 0 or more, got {wait_for_clients}")


def _listen(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        why = f"cannot listen on {host}:{port}: {error.strerror}; port=0 takes a free one"
        raise OSError(error.errno, why) from None
    listener.settimeout(ACCEPT_POLL_S)
    return listener


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it was closed already
        connection.shutdown(socket.SHUT_RDWR)
