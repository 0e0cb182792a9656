"""A real, small HarmonicIO cluster: a master and a manager here, and workers as local processes or on other hosts."""

import selectors
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab07_irm import containers
from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.datatypes import Plan, Seen
from streamlab.lab07_irm.frames import Frames, Head, connected, frame, received
from streamlab.lab07_irm.server import Server
from streamlab.lab07_irm.worker import log_rows
from streamlab.own_host import LOOPBACK, own_host

TICK_S, LIMIT_S, IDLE_S = 0.5, 120.0, 3.0
LOAD_S = 2.0  # how long the load of an engine counts; a picture takes about one second
READY_S = 30.0  # long, since a worker imports scikit-image first
CAPACITY = 1000


class Moment(NamedTuple):
    """The cluster at one tick; `scheduled` and `measured` are thousandths of a worker, summed over all workers."""

    now_s: float
    waiting: int
    engines: int
    on: int
    scheduled: int
    measured: int
    finished: int


@dataclass
class LiveRun:
    """The result of a run: a moment for each tick; for each picture (cells, CPU-seconds), and its beginning and end.

    Time starts when all workers are ready, `start_s` after the beginning. `busy_s` is meaningless if workers run on
    other machines, since their clocks differ.
    `engines`: engine -> worker. `pushed`: payloads that went peer to peer. `stored_bytes`: sent to the backlog by the
    connector. `master_bytes`: received by the master. The two are equal if all other payloads went peer to peer.
    """

    moments: list[Moment] = field(default_factory=list)
    measured: list[tuple[int, float]] = field(default_factory=list)
    busy_s: list[tuple[float, float]] = field(default_factory=list)
    start_s: float = 0.0
    makespan_s: float = 0.0
    killed: str | None = None
    failed: list[str] = field(default_factory=list)
    engines: dict[str, int] = field(default_factory=dict)
    pushed: int = 0
    stored_bytes: int = 0
    master_bytes: int = 0


@dataclass(frozen=True)
class Setup:
    """A cluster: `cores` of each worker, `speed` of a core (0 to 1), and after how many pictures an engine is killed.

    A run that takes longer than `limit_s` raises TimeoutError.
    `hosts`: addresses HOST:PORT of workers on other hosts (see streamlab.lab07_irm.worker), which replace the `workers`
    local processes. Their engines reach the master on `own_host()`. `container`: the image of the containers in which
    local workers run their engines, or None for engines as processes.
    """

    workers: int = 2
    cores: int = 2
    speed: float = 0.35
    kill_after: int | None = None
    limit_s: float = LIMIT_S
    hosts: tuple[str, ...] = ()
    container: str | None = None


def play_pictures(master: Any, manager: Any, pictures: Sequence[bytes], every_s: float, setup: Setup) -> LiveRun:
    """Send pictures at a fixed rate, carry out the manager's plans, and stop when all are done and no engine is left.

    Raises any error of the master or the manager, TimeoutError, ConnectionError if a worker does not answer or ends,
    and RuntimeError if docker has no image `setup.container`.
    """
    if setup.container:
        containers.require_image(setup.container)
    cluster = _Cluster(master, manager, setup)
    try:
        return cluster.run(pictures, every_s)
    finally:
        cluster.close()


class _Cluster:
    def __init__(self, master: Any, manager: Any, setup: Setup) -> None:
        self.manager, self.setup, self.out, self.created_s = manager, setup, LiveRun(), time.monotonic()
        self.server = Server(master, host=own_host() if setup.hosts else LOOPBACK)
        self.select, self.frames = selectors.DefaultSelector(), dict[socket.socket, Frames]()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.connector: Connector | None = None
        self.links: list[socket.socket] = []  # of workers, by their numbers
        self.ready = 0
        self.began_s = self.created_s
        self.where: dict[str, int] = {}  # engine -> worker, while the engine runs
        self.started: set[str] = set()
        self.loads: dict[str, tuple[float, float]] = {}  # engine -> (load of its last message, when it was reported)
        self.ended: list[str] = []
        self.on = 0

    def close(self) -> None:
        if self.connector:
            self.connector.close()
        for link in self.links:
            link.close()
        for process in self.processes:  # a worker ends with its connection
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.server.close()

    def run(self, pictures: Sequence[bytes], every_s: float) -> LiveRun:
        self._connect_workers()
        self.connector = connector = Connector(self.server.address, most=len(pictures))
        self.began_s = began_s = time.monotonic()
        threading.Thread(target=_feed, args=(connector, pictures, every_s), daemon=True).start()
        next_s = began_s
        while not (len(connector.finished_s) == len(pictures) and not self.where):
            next_s += TICK_S
            self._listen(next_s)
            if self.server.error:
                raise self.server.error
            if time.monotonic() > began_s + self.setup.limit_s:
                done = f"{len(connector.finished_s)} of {len(pictures)} pictures"
                raise TimeoutError(f"{done} finished in {self.setup.limit_s:g} s")
            self._tick(time.monotonic() - began_s, len(connector.finished_s))
        self.out.start_s = began_s - self.created_s
        self.out.makespan_s = max(connector.finished_s.values()) - began_s
        self.out.failed, self.out.pushed = connector.failed, connector.pushed
        self.out.stored_bytes, self.out.master_bytes = connector.stored_bytes, self.server.bytes_in
        return self.out

    def _connect_workers(self) -> None:
        """Start workers, or connect to those on other hosts; wait until all are ready."""
        for at in range(len(self.setup.hosts) or self.setup.workers):
            link = _remote_worker(self.setup.hosts[at]) if self.setup.hosts else self._local_worker()
            self.links.append(link)
            self.frames[link] = Frames()
            self.select.register(link, selectors.EVENT_READ)
            host, port = self.server.address[:2]
            about = {"master_host": host, "master_port": port, "speed": self.setup.speed, "idle_s": IDLE_S}
            link.sendall(frame({"what": "serve", "settings": {"number": at, **about}}))
        deadline_s = time.monotonic() + READY_S
        while self.ready < len(self.links):
            if time.monotonic() > deadline_s:
                state = f"{self.ready} of {len(self.links)} workers are ready after {READY_S:g} s"
                raise ConnectionError(f"{state}; check whether another cluster uses them")
            self._listen(time.monotonic() + TICK_S)

    def _local_worker(self) -> socket.socket:
        """Start a worker process and return our end of a socket pair, so no other process can connect to it."""
        own, other = socket.socketpair()
        with other:
            fd, image = other.fileno(), [self.setup.container] if self.setup.container else []
            program = kit_program("streamlab.lab07_irm.worker", str(fd), *image)
            process = subprocess.Popen(program, pass_fds=[fd], stdin=subprocess.DEVNULL, env=kit_environment())
            self.processes.append(process)
        return own

    def _listen(self, until_s: float) -> None:
        """Receive the workers' reports until the next tick."""
        while (left_s := until_s - time.monotonic()) > 0:
            for key, _ in self.select.select(left_s):
                link: Any = key.fileobj
                data = received(link)
                if not data:
                    raise ConnectionError(f"worker {self.links.index(link)} has ended")
                for head, _ in self.frames[link].feed(data):
                    self._take_report(head)

    def _take_report(self, head: Head) -> None:
        if head["what"] == "ready":
            self.ready += 1
        elif head["what"] == "started":
            self.started.add(head["engine"])
        else:
            self.ended.append(head["engine"])
            self.where.pop(head["engine"], None)
            for cells, cpu_s, began_s, ended_s in head["measured"]:
                self.out.measured.append((cells, cpu_s))
                self.out.busy_s.append((began_s - self.began_s, ended_s - self.began_s))

    def _tick(self, now_s: float, finished: int) -> None:
        new, self.server.loads = self.server.loads, []
        self.loads.update({engine: (load, now_s) for engine, load in new})
        engines, cpu = Counter[int](), Counter[int]()
        for engine, (load, at_s) in self.loads.items():
            if engine in self.where and now_s - at_s <= LOAD_S:
                engines[self.where[engine]] += 1
                cpu[self.where[engine]] += round(CAPACITY * load / self.setup.cores)
        of_workers = {"cells": [(engines[worker], cpu[worker]) for worker in sorted(engines)]}
        ended, self.ended = self.ended, []
        waiting = self.server.waiting.get("cells", 0)
        plan = self.manager.tick(Seen(now_s, {"cells": waiting}, of_workers, ended, self.on, self.on, len(self.links)))
        self._obey(plan)
        moment = (waiting, len(self.where), self.on, sum(plan.scheduled), sum(cpu.values()), finished)
        self.out.moments.append(Moment(now_s, *moment))
        self._kill_one(finished)

    def _obey(self, plan: Plan) -> None:
        self.on = plan.on
        for start in plan.starts:
            self.where[start.engine] = self.out.engines[start.engine] = start.worker
            order = {"what": "start", "engine": start.engine, "image": start.image}
            self.links[start.worker].sendall(frame(order))

    def _kill_one(self, finished: int) -> None:
        running = [each for each in self.where if each in self.started]
        if (
            self.setup.kill_after is not None
            and self.out.killed is None
            and finished >= self.setup.kill_after
            and running
        ):
            self.out.killed = running[0]
            self.links[self.where[running[0]]].sendall(frame({"what": "kill", "engine": running[0]}))


def measured_in(folder: Path) -> list[tuple[int, float, float, float]]:
    """Return the rows that `measured_slowly` has logged in a folder: (cells, CPU-seconds, began, ended)."""
    return [row for path in sorted(folder.iterdir()) for row in log_rows(path)]


def _remote_worker(address: str) -> socket.socket:
    """Connect to a worker that listens; raises ConnectionError, with the next step, if none does."""
    host, _, port = address.rpartition(":")
    try:
        return connected((host, int(port)))
    except OSError as problem:
        step = "start it with `python -m streamlab.lab07_irm.worker HOST:PORT` there (docker/README.md: Lab 7)"
        raise ConnectionError(f"no worker answers at {address} ({problem}); {step}") from None


def _feed(connector: Connector, pictures: Sequence[bytes], every_s: float) -> None:
    with suppress(OSError):  # the run ended with an error, and the connector is closed
        for number, picture in enumerate(pictures):
            connector.send(f"m{number}", "cells", picture)
            time.sleep(every_s)
