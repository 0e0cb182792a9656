"""HarmonicIO for real, small: a master and a manager here, workers and their engines as processes."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.harmonic.connector import Connector
from streamlab.harmonic.frames import Frames, frame, received
from streamlab.harmonic.server import Server
from streamlab.harmonic.words import Plan, Seen

TICK_S, LIMIT_S, IDLE_S = 0.5, 120.0, 3.0
CAPACITY = 1000


class Moment(NamedTuple):
    """What a tick saw; `scheduled` and `measured` are thousandths of a worker, over all workers."""

    now_s: float
    waiting: int
    engines: int
    on: int
    scheduled: int
    measured: int
    finished: int


@dataclass
class LiveRun:
    """What came of a run: a moment for each tick, and (cells, CPU-seconds) of each picture that was measured."""

    moments: list[Moment] = field(default_factory=list)
    measured: list[tuple[int, float]] = field(default_factory=list)
    makespan_s: float = 0.0
    killed: str | None = None
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Setup:
    """Workers, cores of each, the speed of a core (0 to 1), and how many pictures finish before an engine is killed."""

    workers: int = 2
    cores: int = 2
    speed: float = 0.35
    kill_after: int | None = None


def play_pictures(master: Any, manager: Any, pictures: Sequence[bytes], every_s: float, setup: Setup) -> LiveRun:
    """Send pictures at a fixed rate, do what the manager plans, and stop when all are done and no engine is left.

    Raises what the master raises, and TimeoutError after 120 s.
    """
    with tempfile.TemporaryDirectory() as folder:
        cluster = _Cluster(master, manager, setup, Path(folder))
        try:
            return cluster.run(pictures, every_s)
        finally:
            cluster.close()


class _Cluster:
    def __init__(self, master: Any, manager: Any, setup: Setup, folder: Path) -> None:
        self.manager, self.setup, self.folder, self.out = manager, setup, folder, LiveRun()
        self.server = Server(master)
        self.control = socket.create_server(("127.0.0.1", 0))
        ports = [str(self.server.address[1]), str(self.control.getsockname()[1])]
        program = [sys.executable, "-m", "streamlab.harmonic.worker", *ports]
        more = [str(setup.speed), str(IDLE_S), str(folder)]
        self.processes = [subprocess.Popen([*program, str(number), *more]) for number in range(setup.workers)]
        self.select, self.frames = selectors.DefaultSelector(), dict[socket.socket, Frames]()
        self.links: dict[int, socket.socket] = {}
        self.where: dict[str, int] = {}  # engine -> worker, as long as it runs
        self.pids: dict[str, int] = {}
        self.ended: list[str] = []
        self.on = 0

    def close(self) -> None:
        for link in [self.control, *self.links.values()]:
            link.close()
        for process in self.processes:  # ends with its connection
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.server.close()

    def run(self, pictures: Sequence[bytes], every_s: float) -> LiveRun:
        self._greet()
        connector, began_s = Connector(self.server.address, most=len(pictures)), time.monotonic()
        threading.Thread(target=_feed, args=(connector, pictures, every_s), daemon=True).start()
        next_s = began_s
        while not (len(connector.finished_s) == len(pictures) and not self.where):
            next_s += TICK_S
            self._listen(next_s)
            if self.server.error:
                raise self.server.error
            if time.monotonic() > began_s + LIMIT_S:
                raise TimeoutError(f"{len(connector.finished_s)} of {len(pictures)} pictures finished in {LIMIT_S:g} s")
            self._tick(time.monotonic() - began_s, len(connector.finished_s))
        connector.close()
        self.out.makespan_s = max(connector.finished_s.values()) - began_s
        self.out.failed = connector.failed
        lines = (line.split() for path in sorted(self.folder.iterdir()) for line in path.read_text().splitlines())
        self.out.measured = [(int(cells), float(cpu_s)) for cells, cpu_s in lines]
        return self.out

    def _greet(self) -> None:
        """Wait until all workers have said which they are."""
        self.control.settimeout(LIMIT_S)
        while len(self.links) < self.setup.workers:
            link, _ = self.control.accept()
            self.frames[link] = Frames()
            [(head, _)] = self.frames[link].feed(received(link))
            self.links[head["worker"]] = link
            self.select.register(link, selectors.EVENT_READ)

    def _listen(self, until_s: float) -> None:
        """Hear what workers report until the next tick."""
        while (left_s := until_s - time.monotonic()) > 0:
            for key, _ in self.select.select(left_s):
                link: Any = key.fileobj
                for head, _ in self.frames[link].feed(received(link)):
                    if head["what"] == "started":
                        self.pids[head["engine"]] = head["pid"]
                    else:
                        self.ended.append(head["engine"])
                        self.where.pop(head["engine"], None)

    def _tick(self, now_s: float, finished: int) -> None:
        loads, self.server.loads = self.server.loads, []
        engines, cpu = Counter[int](), Counter[int]()
        for engine, load in dict(loads).items():
            if engine in self.where:
                engines[self.where[engine]] += 1
                cpu[self.where[engine]] += round(CAPACITY * load / self.setup.cores)
        of_workers = {"cells": [(engines[worker], cpu[worker]) for worker in sorted(engines)]}
        ended, self.ended = self.ended, []
        waiting = self.server.waiting.get("cells", 0)
        plan = self.manager.tick(
            Seen(now_s, {"cells": waiting}, of_workers, ended, self.on, self.on, self.setup.workers)
        )
        self._obey(plan)
        moment = (waiting, len(self.where), self.on, sum(plan.scheduled), sum(cpu.values()), finished)
        self.out.moments.append(Moment(now_s, *moment))
        self._kill_one(finished)

    def _obey(self, plan: Plan) -> None:
        self.on = plan.on
        for start in plan.starts:
            self.where[start.engine] = start.worker
            order = {"what": "start", "engine": start.engine, "image": start.image}
            self.links[start.worker].sendall(frame(order))

    def _kill_one(self, finished: int) -> None:
        running = [each for each in self.where if each in self.pids]
        if (
            self.setup.kill_after is not None
            and self.out.killed is None
            and finished >= self.setup.kill_after
            and running
        ):
            self.out.killed = running[0]
            os.kill(self.pids[running[0]], signal.SIGKILL)


def _feed(connector: Connector, pictures: Sequence[bytes], every_s: float) -> None:
    for number, picture in enumerate(pictures):
        connector.send(f"m{number}", "cells", picture)
        time.sleep(every_s)
