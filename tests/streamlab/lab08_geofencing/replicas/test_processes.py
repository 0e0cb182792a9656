"""Replicas as processes: they answer, restart on their port, report their errors, and end with their parent."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark import cloudpickle

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp
from streamlab.lab08_geofencing.replicas import RemoteReplica, ReplicaFailed, ReplicaProcess, fail_over
from streamlab.lab08_geofencing.replicas.processes import replica_processes

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # as with classes of a notebook
PATIENCE_S = 20.0
SQUARE = ((((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 0.0)),),)
COWS = ["a", "b", "c"]


class Pasture:
    """A replica without a broker: each poll reads one more cow; `since_ms` of 1 or 2 makes `within` raise an error."""

    def __init__(self) -> None:
        self.read = 0

    def poll(self, most: int = 1) -> int:
        applied = min(1, len(COWS) - self.read)
        self.read += applied
        return applied

    def within(self, polygons: Any, since_ms: int | None = None, at_least: dict[int, int] | None = None) -> Answer:
        if since_ms == 1:
            raise KeyError("a mistake")
        if since_ms == 2:
            raise ValueError("expected a later time")
        if self.read < max(len(COWS), (at_least or {}).get(0, 0)):
            raise NotCaughtUp(f"at {self.read}")
        return Answer(COWS[: self.read], {0: self.read})


def fails() -> Pasture:
    raise ConnectionError("no broker answers")


def test_a_killed_replica_restarts_empty_on_its_port() -> None:
    with replica_processes(Pasture, 1) as [replica]:
        client, port = replica.client(), replica.port
        before = client.within(SQUARE)
        replica.kill()
        with pytest.raises(ConnectionError):
            client.within(SQUARE)
        with pytest.raises(ConnectionRefusedError, match=str(port)):
            client.within(SQUARE)
        replica.start()
        replica.wait_until_listening()
        replica.wait_until_ready()

        assert before == client.within(SQUARE) == Answer(COWS, {0: 3})
        assert replica.port == port
    assert not replica.is_alive


def test_each_error_of_a_replica_reaches_the_client_as_its_kind() -> None:
    with replica_processes(Pasture, 1) as [replica]:
        client = replica.client()

        with pytest.raises(NotCaughtUp, match="at 3"):
            client.within(SQUARE, at_least={0: 4})
        with pytest.raises(RuntimeError, match="KeyError: 'a mistake'"):
            client.within(SQUARE, 1)
        with pytest.raises(ValueError, match="a later time"):
            client.within(SQUARE, 2)
        with pytest.raises(ValueError, match="4 or more places"):
            client.within((((),),))
        assert client.within(SQUARE).movers == COWS


@pytest.mark.usefixtures("students_folder")  # replicas do not import its files
def test_each_invalid_line_gets_a_one_line_reply_and_the_server_continues() -> None:
    with replica_processes(Pasture, 1) as [replica]:
        with socket.create_connection(("127.0.0.1", replica.port), 5) as connection, connection.makefile("rwb") as file:
            for line in (b"\n", b"\x80\x05\xff\n", b"GET / HTTP/1.1\n", b'{"polygons": 1}\n'):
                file.write(line)
                file.flush()
                assert list(json.loads(file.readline())) == ["invalid"]

        assert replica.client().within(SQUARE).movers == COWS


def test_a_replica_that_cannot_be_created_reports_the_reason() -> None:
    with ReplicaProcess(fails) as replica, pytest.raises(ReplicaFailed, match="ConnectionError: no broker answers"):
        replica.wait_until_listening(PATIENCE_S)


def test_waiting_for_a_replica_that_is_never_ready_fails_at_the_deadline() -> None:
    class Never(Pasture):
        def poll(self, most: int = 1) -> int:
            return 0

    with ReplicaProcess(Never) as replica:
        replica.wait_until_listening(PATIENCE_S)
        with pytest.raises(ReplicaFailed, match=r"not ready within 0\.1 s"):
            replica.wait_until_ready(0.1)


def test_a_replica_whose_poll_fails_reports_the_reason() -> None:
    class Fails(Pasture):
        def poll(self, most: int = 1) -> int:
            raise LookupError("no such partition")

    with ReplicaProcess(Fails) as replica:
        replica.wait_until_listening(PATIENCE_S)
        with pytest.raises(ReplicaFailed, match="LookupError: no such partition"):
            replica.wait_until_ready(PATIENCE_S)


def test_a_replica_ends_with_its_parent_process() -> None:
    code = (
        "import time; from streamlab.lab08_geofencing.replicas import ReplicaProcess\n"
        "class Idle:\n    def poll(self, most): return 0\n"
        "process = ReplicaProcess(Idle); process.start(); process.wait_until_listening()\n"
        "print(process.pid, flush=True); time.sleep(60)\n"
    )
    kit = Path(__file__).resolve().parents[4]
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=kit)
    assert parent.stdout is not None
    replica = psutil.Process(int(parent.stdout.readline()))

    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()

    assert psutil.wait_procs([replica], PATIENCE_S)[1] == []


def test_a_port_without_a_replica_is_rejected() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError, match="no replica listens"):
            RemoteReplica(unused.getsockname()[1]).within(SQUARE)


def test_a_replica_that_hangs_raises_timeout_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(TimeoutError):
        RemoteReplica(silent.getsockname()[1], timeout_s=0.05).within(SQUARE)


def test_round_robin_fails_only_while_a_replica_is_dead() -> None:
    begin = time.monotonic()

    times_s = {"kill_at_s": 1.0, "restart_at_s": 2.0, "end_s": 2.0, "span_s": 1.0}

    def ask(replicas: Any, number: int) -> Answer:
        return replicas[number % len(replicas)].within(SQUARE)

    before, dead = fail_over(Pasture, ask, COWS, count=2, **times_s)  # ready means caught up: no answer is wrong
    assert before.right > 0
    assert before.wrong == before.failed == 0
    assert dead.failed > 0
    assert dead.right > 0
    assert time.monotonic() - begin < PATIENCE_S


@pytest.mark.parametrize("times", [{"kill_at_s": 4.0}, {"end_s": 2.5}, {"span_s": 0}, {"kill_at_s": -1}])
def test_times_in_another_order_are_rejected(times: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="in this order"):
        fail_over(Pasture, lambda replicas, number: Answer([], {}), [], **times)  # type: ignore[arg-type]
