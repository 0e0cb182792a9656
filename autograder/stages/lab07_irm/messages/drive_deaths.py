"""Real engines around the learner's master: three processes, of which one is killed and one frozen for a while."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from autograder.inside.rows import Rows
from streamlab.harmonic.connector import Connector
from streamlab.harmonic.server import Server

ENGINES, CPU_S = 3, 0.004
PAYLOAD_BYTES = 2000
SILENT_S, LIMIT_S, LOOK_S = 1.8, 12.0, 0.01


def deaths(master: Any, messages: int, in_flight: int) -> Rows:
    """Play `messages`, `in_flight` at a time; kill one engine after a quarter, freeze another one after a half.

    The frozen one goes on once the master has given it up. Rows: how many messages were forgotten, how many of these
    names were different, which failed, how many bytes the connector stored and the server got, what is left.
    """
    server = Server(master, SILENT_S)
    engines = [_engine(server.address[1], f"engine {number}") for number in range(ENGINES)]
    connector = Connector(server.address, most=in_flight)
    try:
        _wait(lambda: len(server.engines) == ENGINES, server)
        for number in range(messages):
            if number == messages // 4:
                engines[0].kill()
            if number == messages // 2:
                os.kill(engines[1].pid, signal.SIGSTOP)
            if not connector.send(f"m{number}", "image", bytes(PAYLOAD_BYTES), limit_s=LIMIT_S):
                break
        _wait(lambda: "engine 1" not in server.engines, server)
        os.kill(engines[1].pid, signal.SIGCONT)
        _wait(lambda: len(connector.finished_s) == messages and "engine 1" in server.engines, server)
        if server.error:
            raise server.error
        return _rows(connector, server)
    finally:
        for each in engines:
            each.kill()
            each.wait()
        connector.close()
        server.close()


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
    command = [sys.executable, "-m", "streamlab.harmonic.engine", str(port), "image", name, str(CPU_S)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def _wait(is_so: Callable[[], bool], server: Server) -> None:
    """Until it is so, the master has raised an error, or the time is over."""
    deadline_s = time.monotonic() + LIMIT_S
    while not is_so() and server.error is None and time.monotonic() < deadline_s:
        time.sleep(LOOK_S)
