"""A server around a replica: it polls in one thread and answers questions in others, one line of JSON each."""

import socketserver
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn, Protocol

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Polygons
from streamlab.lab08_geofencing.replicas.messages import LINE_BYTES, answer_line, error_line, read_question
from streamlab.own_host import LOOPBACK


class Replicated(Protocol):
    """The interface of the task `Replica`."""

    def poll(self, most: int = ...) -> int:
        """Apply the next records."""

    def within(self, polygons: Polygons, since_ms: int | None = ..., at_least: dict[int, int] | None = ...) -> Answer:
        """Answer a question, or raise NotCaughtUp."""


def serve(
    make: Callable[[], Replicated],
    port: int,
    *,
    most: int = 500,
    pause_s: float = 0.0,
    idle_s: float = 0.005,
    listening: Callable[[int], None] = lambda port: None,
) -> NoReturn:
    """Answer questions on `port` (0: any free port) with the replica that `make()` returns, and let it poll in between.

    Once the replica is created, the server listens and calls `listening(port)`. It never returns, but raises any error
    of `make` and `poll`. It waits `pause_s` after a poll that applied records, and `idle_s` after any other poll.
    """
    replica, lock = make(), threading.Lock()
    server = _Server((LOOPBACK, port), _Handler)
    server.reply = lambda line: reply_to(line, replica, lock)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    listening(server.server_address[1])
    while True:
        with lock:
            applied = replica.poll(most)
        time.sleep(pause_s if applied else idle_s)


def reply_to(line: bytes, replica: Replicated, lock: threading.Lock) -> bytes:
    """Return the reply to a line: an answer, or one error with its reason."""
    try:
        question = read_question(line)
        with lock:
            return answer_line(replica.within(question.polygons, question.since_ms, question.at_least or None))
    except NotCaughtUp as problem:
        return error_line("behind", problem)
    except ValueError as problem:
        return error_line("invalid", problem)
    except Exception as problem:  # the learner's code may raise anything
        return error_line("broken", problem)


class _Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self) -> None:
        with suppress(OSError):  # the client has gone
            while line := self.rfile.readline(LINE_BYTES + 1):
                self.wfile.write(self.server.reply(line))  # type: ignore[attr-defined]
                if not line.endswith(b"\n"):
                    return  # the rest of a line that is too long would be read as other questions


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 64
    reply: Callable[[bytes], bytes]

    def handle_error(self, *_: Any) -> None:
        """Ignore a broken connection; the client sees the error."""
