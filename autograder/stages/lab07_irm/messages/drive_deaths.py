"""Real engines around the learner's master: three processes, one of which is killed and one frozen for a while."""

import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

from autograder.inside.patience import at_the_latest_s, wait_until
from autograder.inside.rows import Rows
from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.server import Server

ENGINES, CPU_S = 3, 0.004
PAYLOAD_BYTES = 2000
SILENT_S, STALLED_S = 1.8, 6.0


def deaths(master: Any, messages: int, in_flight: int) -> Rows:
    """Play `messages`, `in_flight` at a time; kill one engine after a quarter, freeze another one after a half.

    The frozen engine resumes once the master has given it up. Return how many messages were forgotten, how many of
    these names were different, which failed, how many bytes the connector stored and the server received, and what is
    left.
    """
    server = Server(master, SILENT_S)
    engines = [_engine(server.address[1], f"engine {number}") for number in range(ENGINES)]
    connector = Connector(server.address, most=in_flight)
    try:
        _play(_Course(server, connector), engines, messages)
        if server.error:
            raise server.error
        return _rows(connector, server)
    finally:
        for each in engines:
            each.kill()
            each.wait()
        connector.close()
        server.close()


class _Course:
    """The course of a run, and whether it still makes progress."""

    def __init__(self, server: Server, connector: Connector) -> None:
        self.server, self.connector = server, connector

    def wait(self, is_so: Callable[[], bool]) -> bool:
        """Wait until it is so; False if the master raised an error, or if nothing happened for STALLED_S."""
        while not is_so():
            if self.server.error or not wait_until(self._has_moved_since(self._progress(), is_so), STALLED_S):
                return False
        return True

    def _has_moved_since(self, before: object, is_so: Callable[[], bool]) -> Callable[[], bool]:
        return lambda: is_so() or self.server.error is not None or self._progress() != before

    def _progress(self) -> tuple[int, frozenset[str]]:
        return len(self.connector.forgotten), frozenset(self.server.engines)


def _play(course: _Course, engines: "list[subprocess.Popen[bytes]]", messages: int) -> None:
    """Send all messages, with the two faults; stop early when there is no progress any more."""
    server, connector, frozen = course.server, course.connector, "engine 1"
    if not course.wait(lambda: len(server.engines) == ENGINES):
        return
    for number in range(messages):
        if number == messages // 4:
            engines[0].kill()
        if number == messages // 2:
            os.kill(engines[1].pid, signal.SIGSTOP)
        if not connector.send(f"m{number}", "image", bytes(PAYLOAD_BYTES), limit_s=at_the_latest_s(STALLED_S)):
            return
    if course.wait(lambda: frozen not in server.engines):
        os.kill(engines[1].pid, signal.SIGCONT)
        course.wait(lambda: len(connector.finished_s) == messages and frozen in server.engines)


def _rows(connector: Connector, server: Server) -> Rows:
    return {
        "forgotten": len(connector.forgotten),
        "finished": len(connector.finished_s),
        "failed": sorted(connector.failed),
        "stored_bytes": connector.stored_bytes,
        "server_bytes": server.bytes_in,
        "left": server.stored + server.waiting.get("image", 0),
    }


def _engine(port: int, name: str) -> "subprocess.Popen[bytes]":
    command = kit_program("streamlab.lab07_irm.engine", str(port), "image", name, str(CPU_S))
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=kit_environment())
