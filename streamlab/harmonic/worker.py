"""A worker: starts and kills engines when the cluster says so, and reports those that ended.

`python -m streamlab.harmonic.worker FD [IMAGE]` serves the cluster at the other end of an inherited socket, once. Its
engines are forked, so that what they import is there already, or run in containers of IMAGE.
`python -m streamlab.harmonic.worker HOST:PORT` is a worker on another host: it listens there, and serves one cluster
after the other. There is no password. Who reaches that port, or an engine's, can have pictures measured here, and
nothing else; so HOST is an address in a network of trusted hosts, such as the docker environment's own.

Engines measure pictures on slow cores: after t s of CPU an engine sleeps t/speed - t, so that two cores stand for more.
The load of a message is its CPU time over the time that the engine had a core or slept; waiting in the run queue does
not count, or else engines on a crowded machine would look idle.
"""

import json
import os
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from streamlab.harmonic.containers import Container
from streamlab.harmonic.engine import run_engine
from streamlab.harmonic.frames import Frames, Head, frame
from streamlab.own_host import LOOPBACK
from streamlab.pictures import Cell, cell_picture, measure

LOOK_S, END_S = 0.1, 10.0
Measured = tuple[list[Cell], list[float]]  # as `measure` returns it


@dataclass(frozen=True)
class Settings:
    """What a cluster says first: the worker's number, where the master is, a core's speed, when an engine may leave.

    `host` is the worker's own: its engines can be reached there.
    """

    number: int
    master_host: str
    master_port: int
    speed: float
    idle_s: float
    host: str = LOOPBACK


class Running(Protocol):
    """An engine, however it runs."""

    def kill(self) -> None:
        """End it as SIGKILL does."""

    def has_ended(self) -> bool:
        """Whether it has ended, by itself or not."""

    def wait(self, limit_s: float) -> None:
        """Wait until it has ended, at most `limit_s` seconds."""


def measured_slowly(picture: bytes, speed: float, log: Path | None) -> tuple[Measured, float]:
    """Measure a picture on a slow core; return what `measure` finds, and the load.

    `log` gets a line "cells CPU-seconds began ended", in seconds of the machine's monotonic clock; None: prints it.
    """
    began_s, cpu_before_s, waited_before_s = time.monotonic(), time.thread_time(), waited_s()
    found = measure(picture)
    cpu_s = time.thread_time() - cpu_before_s
    time.sleep(cpu_s / speed - cpu_s)
    ended_s = time.monotonic()
    _note(f"{len(found[0])} {cpu_s:.4f} {began_s:.4f} {ended_s:.4f}", log)
    had_s = ended_s - began_s - (waited_s() - waited_before_s)
    return found, cpu_s / max(cpu_s, had_s) / speed


def _note(line: str, log: Path | None) -> None:
    if log is None:
        return print(line, flush=True)
    with log.open("a") as lines:
        lines.write(f"{line}\n")


def noted_in(log: Path) -> list[tuple[int, float, float, float]]:
    """Return what `measured_slowly` has noted in a file: (cells, CPU-seconds, began, ended); nothing without a file."""
    lines = log.read_text().splitlines() if log.exists() else []
    rows = (line.split() for line in lines)
    return [(int(cells), float(cpu_s), float(began_s), float(ended_s)) for cells, cpu_s, began_s, ended_s in rows]


def waited_s() -> float:
    """Return the seconds that this process was ready and had no core (0 where the system does not tell)."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def serve(
    link: socket.socket, host: str = LOOPBACK, container: str | None = None, door: socket.socket | None = None
) -> None:
    """Be a worker until the cluster at the other end of `link` is gone; then the engines are killed.

    Engines can be reached on `host`. They are forked, without `door`, or run in containers of the image `container`.
    """
    link.settimeout(LOOK_S)
    with tempfile.TemporaryDirectory() as folder:
        worker = _Worker(link, host, container, door, Path(folder))
        try:
            worker.run()
        finally:
            worker.close()


class _Worker:
    def __init__(
        self, link: socket.socket, host: str, container: str | None, door: socket.socket | None, folder: Path
    ) -> None:
        self._link, self._host, self._container, self._door, self._folder = link, host, container, door, folder
        self._settings: Settings | None = None
        self._engines: dict[str, Running] = {}
        self._logs: dict[str, Path] = {}

    def run(self) -> None:
        frames = Frames()
        with suppress(ConnectionError, TimeoutError):  # the cluster is gone, or stuck
            while (data := self._received()) != b"":
                for head, _ in frames.feed(data or b""):
                    self._obey(head)
                self._report_ended()

    def close(self) -> None:
        for each in self._engines.values():
            each.kill()
        for each in self._engines.values():
            each.wait(END_S)
        self._link.close()

    def _received(self) -> bytes | None:
        """What has come: None if nothing yet, b"" if the other side is gone."""
        try:
            return self._link.recv(65_536)
        except TimeoutError:
            return None

    def _say(self, head: Head) -> None:
        self._link.sendall(frame(head))

    def _obey(self, head: Head) -> None:
        what = head["what"]
        if what == "serve":
            self._settings = Settings(**head["settings"], host=self._host)
            self._say({"what": "ready"})
        elif what == "start" and self._settings is not None:
            engine = head["engine"]
            self._logs[engine] = self._folder / str(len(self._logs))
            self._engines[engine] = self._started(self._settings, head["image"], engine, self._logs[engine])
            self._say({"what": "started", "engine": engine})
        elif what == "kill" and head["engine"] in self._engines:
            self._engines[head["engine"]].kill()

    def _started(self, settings: Settings, image: str, engine: str, log: Path) -> Running:
        if self._container is None:
            return _Forked([self._link, *([self._door] if self._door else [])], settings, image, engine, log)
        program = ["python", "-m", "streamlab.harmonic.worker", "engine", image, engine, json.dumps(asdict(settings))]
        return Container(self._container, program, log)

    def _report_ended(self) -> None:
        for engine in [name for name, each in self._engines.items() if each.has_ended()]:
            del self._engines[engine]
            self._say({"what": "ended", "engine": engine, "measured": noted_in(self._logs[engine])})


class _Forked:
    """An engine in a copy of this process, without its sockets."""

    def __init__(self, sockets: list[socket.socket], settings: Settings, image: str, engine: str, log: Path) -> None:
        self._has_ended = False
        self._pid = os.fork()
        if self._pid:
            return
        try:
            for each in sockets:
                each.close()
            with suppress(KeyboardInterrupt):
                _be_engine(settings, image, engine, log)
        finally:
            os._exit(0)

    def kill(self) -> None:
        if not self.has_ended():
            os.kill(self._pid, signal.SIGKILL)

    def has_ended(self) -> bool:
        self._has_ended = self._has_ended or os.waitpid(self._pid, os.WNOHANG)[0] != 0
        return self._has_ended

    def wait(self, limit_s: float) -> None:
        deadline_s = time.monotonic() + limit_s
        while not self.has_ended() and time.monotonic() < deadline_s:
            time.sleep(0.01)


def _be_engine(settings: Settings, image: str, engine: str, log: Path | None) -> None:
    def work(picture: bytes) -> float:
        return measured_slowly(picture, settings.speed, log)[1]

    master = (settings.master_host, settings.master_port)
    run_engine(master, image, engine, settings.number, work, settings.idle_s, settings.host)


def _listen(host: str, port: int) -> None:
    """Serve one cluster after the other; a connection that says something else is closed, and the next one counts."""
    with socket.create_server((host, port)) as door:
        while True:
            link, _ = door.accept()
            try:
                serve(link, host, door=door)
            except (KeyError, TypeError, ValueError) as problem:
                print(f"lab: a connection to {host}:{port} was closed: {problem!r}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> None:
    """Run as a worker, or as the only engine of a container."""
    measure(cell_picture(1, 20, 128))  # what this imports, engines have from the start
    if arguments[0] == "engine":
        image, engine, settings = arguments[1:]
        _be_engine(Settings(**json.loads(settings)), image, engine, log=None)
    elif ":" in arguments[0]:
        host, _, port = arguments[0].rpartition(":")
        _listen(host, int(port))
    else:
        serve(socket.socket(fileno=int(arguments[0])), container=arguments[1] if arguments[1:] else None)


if __name__ == "__main__":
    main(sys.argv[1:])
