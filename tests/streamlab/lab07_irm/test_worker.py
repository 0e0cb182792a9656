"""A worker as a process: its engines start, are killed, and end with it; the test acts as the cluster."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab07_irm import worker as engines
from streamlab.lab07_irm.cell_pictures import cell_picture
from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.datatypes import Order
from streamlab.lab07_irm.frames import Frames, Head, connected, frame
from streamlab.lab07_irm.server import Server
from streamlab.lab07_irm.worker import log_rows, measured_slowly
from streamlab.services.ports import free_ports
from tests.streamlab.lab07_irm.conftest import LIMIT_S, Until, answers, need_scikit_image
from tests.streamlab.lab07_irm.masters import Pushes

need_scikit_image()

PICTURE = cell_picture(seed=2, cells=8, size=128)


class Remembers(Pushes):
    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[str, str, int]] = []
        self.lost_engines: list[str] = []

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        self.places.append((engine, image, worker))
        return super().idle(engine, image, worker)

    def lost(self, engine: str) -> list[Order]:
        self.lost_engines.append(engine)
        return []


class OneWorker:
    """The cluster's side of a connection to one worker."""

    def __init__(self, link: socket.socket, server: Server) -> None:
        self.link, self._frames, self._heads = link, Frames(), list[Head]()
        link.settimeout(LIMIT_S)
        about = {"number": 3, "master_host": server.address[0], "master_port": server.address[1]}
        self.send({"what": "serve", "settings": {**about, "speed": 1.0, "idle_s": 60.0}})

    def send(self, head: Head) -> None:
        self.link.sendall(frame(head))

    def receive(self) -> Head:
        """Return the next report; raise TimeoutError if none arrives."""
        while not self._heads:
            data = self.link.recv(65_536)
            assert data, "the worker has ended"
            self._heads += [head for head, _ in self._frames.feed(data)]
        return self._heads.pop(0)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server(Remembers())
    yield running
    running.close()


@pytest.fixture
def worker(server: Server, started_here: Callable[[], list[int]]) -> Iterator[OneWorker]:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            command = [sys.executable, "-m", "streamlab.lab07_irm.worker", str(theirs.fileno())]
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        worker = OneWorker(ours, server)
        assert worker.receive() == {"what": "ready"}
        yield worker
    assert process.wait(LIMIT_S) == 0


def send(server: Server, *payloads: bytes) -> Connector:
    connector = Connector(server.address)
    for number, payload in enumerate(payloads):
        connector.send(f"m{number}", "cells", payload)
    return connector


def test_an_engine_measures_pictures_and_its_results_are_reported_at_its_end(
    worker: OneWorker, server: Server, until: Until
) -> None:
    worker.send({"what": "start", "engine": "cells-1", "image": "cells"})
    started = worker.receive()
    connector = send(server, PICTURE, PICTURE)
    finished = until(lambda: len(connector.finished_s) == 2)
    worker.send({"what": "kill", "engine": "cells-1"})
    ended = worker.receive()
    connector.close()

    assert finished
    assert started == {"what": "started", "engine": "cells-1"}
    assert server.master.places == [("cells-1", "cells", 3)]
    assert (ended["what"], ended["engine"]) == ("ended", "cells-1")
    assert [cells for cells, *_ in ended["measured"]] == [8, 8]
    assert all(0 < cpu_s <= ended_s - began_s + 0.001 for _, cpu_s, began_s, ended_s in ended["measured"])


def test_an_engine_that_crashes_on_a_payload_is_reported_and_another_can_start(
    worker: OneWorker, server: Server, until: Until
) -> None:
    worker.send({"what": "start", "engine": "cells-1", "image": "cells"})
    reports = [worker.receive()]
    connector = send(server, b"not a picture")
    reports.append(worker.receive())
    worker.send({"what": "start", "engine": "cells-2", "image": "cells"})
    reports.append(worker.receive())

    story = [(each["what"], each["engine"]) for each in reports]
    assert story == [("started", "cells-1"), ("ended", "cells-1"), ("started", "cells-2")]
    assert until(lambda: [name for name, _, _ in server.master.places] == ["cells-1", "cells-2"])
    assert server.master.lost_engines == ["cells-1"]
    connector.close()


def test_engines_end_when_their_workers_connection_closes(
    worker: OneWorker, server: Server, until: Until, started_here: Callable[[], list[int]]
) -> None:
    for name in "a", "b":
        worker.send({"what": "start", "engine": name, "image": "cells"})
    assert until(lambda: server.engines == {"a", "b"})
    assert len(started_here()) == 3  # the worker is one of them

    worker.link.close()

    assert until(lambda: not server.engines)
    assert until(lambda: not started_here())


@pytest.fixture
def listening(until: Until) -> Iterator[tuple[str, int]]:
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "streamlab.lab07_irm.worker", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert until(lambda: answers(("127.0.0.1", port)))
    yield ("127.0.0.1", port)
    process.kill()
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


def test_a_listening_worker_serves_several_clusters(listening: tuple[str, int], server: Server, until: Until) -> None:
    for turn in range(2):
        with connected(listening) as link:
            worker = OneWorker(link, server)
            assert worker.receive() == {"what": "ready"}
            worker.send({"what": "start", "engine": f"cells-{turn}", "image": "cells"})
            assert until(lambda turn=turn: server.engines == {f"cells-{turn}"})
        assert until(lambda: not server.engines)


@pytest.mark.parametrize(
    "data",
    [b"", frame({"no": "what"}), frame({"what": "serve", "settings": {"speed": 1}}), b"\0\0\0\1\0\0\0\0x"],
    ids=["nothing", "an unknown frame", "settings that are not whole", "no JSON"],
)
def test_a_listening_worker_survives_invalid_requests(listening: tuple[str, int], server: Server, data: bytes) -> None:
    with connected(listening) as stranger:
        stranger.sendall(data)
        stranger.shutdown(socket.SHUT_WR)

    with connected(listening) as link:
        assert OneWorker(link, server).receive() == {"what": "ready"}


def test_an_engine_on_a_slow_core_takes_longer(tmp_path: Path) -> None:
    began_s, cpu_before_s = time.monotonic(), time.thread_time()

    (cells, _), _ = measured_slowly(PICTURE, 0.25, tmp_path / "log")
    took_s, cpu_s = time.monotonic() - began_s, time.thread_time() - cpu_before_s

    [(logged_cells, logged_s, from_s, until_s)] = log_rows(tmp_path / "log")
    assert logged_cells == len(cells) == 8
    assert 0 < logged_s <= cpu_s + 0.001
    assert logged_s / 0.25 - 0.001 <= until_s - from_s <= took_s + 0.001


class Clock:
    """A clock that moves only when a measurement computes, waits for a core, or sleeps."""

    def __init__(self, cpu_s: float, waits_s: float, late_s: float) -> None:
        self.now_s, self.used_s, self.waited_s = 100.0, 3.0, 7.0
        self._cpu_s, self._waits_s, self._late_s = cpu_s, waits_s, late_s

    def monotonic(self) -> float:
        return self.now_s

    def thread_time(self) -> float:
        return self.used_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds + self._late_s

    def measure(self, picture: bytes) -> tuple[list[str], int]:
        self.used_s += self._cpu_s
        self.waited_s += self._waits_s
        self.now_s += self._cpu_s + self._waits_s
        return ["a cell"], 0


@pytest.mark.parametrize(
    ("speed", "waits_s", "late_s", "load"),
    [
        (1.0, 0.0, 0.0, 1.0),
        (0.25, 0.0, 0.0, 1.0),
        (0.25, 5.0, 0.0, 1.0),  # a busy machine: the time without a core does not count
        (0.25, 0.0, 0.8, 0.5),  # the core was free half of the time
    ],
)
def test_the_load_is_the_share_of_a_slow_core_that_a_message_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, speed: float, waits_s: float, late_s: float, load: float
) -> None:
    clock = Clock(cpu_s=0.2, waits_s=waits_s, late_s=late_s)
    monkeypatch.setattr(engines, "time", clock)
    monkeypatch.setattr(engines, "measure", clock.measure)
    monkeypatch.setattr(engines, "waited_s", lambda: clock.waited_s)

    assert measured_slowly(PICTURE, speed, tmp_path / "log")[1] == pytest.approx(load)


def test_an_engine_in_a_container_prints_its_results(capsys: Any) -> None:
    measured_slowly(PICTURE, 1.0, None)

    cells, cpu_s, _, _ = capsys.readouterr().out.split()
    assert cells == "8"
    assert float(cpu_s) > 0
