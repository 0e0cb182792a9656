"""A worker starts and kills engines on the cluster's orders, and reports those that have ended.

`python -m streamlab.lab07_irm.worker FD [IMAGE]` serves the cluster at the other end of an inherited socket, once. Its
engines are forked, so their imports are already loaded, or run in containers of IMAGE.
`python -m streamlab.lab07_irm.worker HOST:PORT` is a worker on another host: it listens there, and serves one cluster
after another. There is no password. Anyone who can reach that port, or an engine's, can have pictures measured here,
and nothing else. HOST is therefore an address in a network of trusted hosts, such as the docker environment's own.

Engines measure pictures on slow cores: after t s of CPU an engine sleeps t/speed - t, so two cores can simulate more.
The load of a message is its CPU time divided by the time in which the engine had a core or slept. Time in the run queue
does not count, since engines on a crowded machine would otherwise look idle.
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

from streamlab.lab07_irm.cell_pictures import Cell, cell_picture, measure
from streamlab.lab07_irm.containers import Container
from streamlab.lab07_irm.engine import run_engine
from streamlab.lab07_irm.frames import Frames, Head, frame
from streamlab.own_host import LOOPBACK

POLL_S, END_S = 0.1, 10.0
Measured = tuple[list[Cell], list[float]]  # as `measure` returns it


@dataclass(frozen=True)
class Settings:
    """A cluster's first message: the worker's number, the master's address, a core's speed, when idle engines leave.

    `host` is the worker's own address, where its engines listen.
    """

    number: int
    master_host: str
    master_port: int
    speed: float
    idle_s: float
    host: str = LOOPBACK


class Running(Protocol):
    """An engine that runs as a process or in a container."""

    def kill(self) -> None:
        """Kill the engine with SIGKILL."""

    def has_ended(self) -> bool:
        """Return whether the engine has ended, for any reason."""

    def wait(self, limit_s: float) -> None:
        """Wait until the engine has ended, at most `limit_s` seconds."""


def measured_slowly(picture: bytes, speed: float, log: Path | None) -> tuple[Measured, float]:
    """Measure a picture on a slow core; return the result of `measure`, and the load.

    Appends a line "cells CPU-seconds began ended" to `log`, or prints it if `log` is None. Times are seconds of the
    machine's monotonic clock.
    """
    began_s, cpu_before_s, waited_before_s = time.monotonic(), time.thread_time(), waited_s()
    found = measure(picture)
    cpu_s = time.thread_time() - cpu_before_s
    time.sleep(cpu_s / speed - cpu_s)
    ended_s = time.monotonic()
    _write_line(f"{len(found[0])} {cpu_s:.4f} {began_s:.4f} {ended_s:.4f}", log)
    had_s = ended_s - began_s - (waited_s() - waited_before_s)
    return found, cpu_s / max(cpu_s, had_s) / speed


def _write_line(line: str, log: Path | None) -> None:
    if log is None:
        return print(line, flush=True)
    with log.open("a") as lines:
        lines.write(f"{line}\n")


def log_rows(log: Path) -> list[tuple[int, float, float, float]]:
    """Return the rows that `measured_slowly` has logged: (cells, CPU-seconds, began, ended); none without a file."""
    lines = log.read_text().splitlines() if log.exists() else []
    rows = (line.split() for line in lines)
    return [(int(cells), float(cpu_s), float(began_s), float(ended_s)) for cells, cpu_s, began_s, ended_s in rows]


def waited_s() -> float:
    """Return the seconds in which this process was ready to run but had no core, or 0 if the system does not say."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def serve(
    link: socket.socket, host: str = LOOPBACK, container: str | None = None, listener: socket.socket | None = None
) -> None:
    """Run a worker until the cluster closes its end of `link`, then kill the engines.

    Engines listen on `host`. They run in containers of the image `container`, or are forked and close `listener`.
    """
    link.settimeout(POLL_S)
    with tempfile.TemporaryDirectory() as folder:
        worker = _Worker(link, host, container, listener, Path(folder))
        try:
            worker.run()
        finally:
            worker.close()


class _Worker:
    def __init__(
        self, link: socket.socket, host: str, container: str | None, listener: socket.socket | None, folder: Path
    ) -> None:
        self._link, self._host, self._container, self._folder = link, host, container, folder
        self._sockets = [link] if listener is None else [link, listener]
        self._settings: Settings | None = None
        self._engines: dict[str, Running] = {}
        self._logs: dict[str, Path] = {}

    def run(self) -> None:
        frames = Frames()
        with suppress(ConnectionError, TimeoutError):  # the cluster has ended or hangs
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
        """Return the bytes that have arrived, None if there are none yet, or b"" if the other side is gone."""
        try:
            return self._link.recv(65_536)
        except TimeoutError:
            return None

    def _send(self, head: Head) -> None:
        self._link.sendall(frame(head))

    def _obey(self, head: Head) -> None:
        what = head["what"]
        if what == "serve":
            self._settings = Settings(**head["settings"], host=self._host)
            self._send({"what": "ready"})
        elif what == "start" and self._settings is not None:
            engine = head["engine"]
            self._logs[engine] = self._folder / str(len(self._logs))
            self._engines[engine] = self._started(self._settings, head["image"], engine, self._logs[engine])
            self._send({"what": "started", "engine": engine})
        elif what == "kill" and head["engine"] in self._engines:
            self._engines[head["engine"]].kill()

    def _started(self, settings: Settings, image: str, engine: str, log: Path) -> Running:
        if self._container is None:
            return _Forked(self._sockets, settings, image, engine, log)
        program = ["python", "-m", "streamlab.lab07_irm.worker", "engine", image, engine, json.dumps(asdict(settings))]
        return Container(self._container, program, log)

    def _report_ended(self) -> None:
        for engine in [name for name, each in self._engines.items() if each.has_ended()]:
            del self._engines[engine]
            self._send({"what": "ended", "engine": engine, "measured": log_rows(self._logs[engine])})


class _Forked:
    """An engine in a fork of this process, which closes the given sockets."""

    def __init__(self, sockets: list[socket.socket], settings: Settings, image: str, engine: str, log: Path) -> None:
        self._has_ended = False
        self._pid = os.fork()
        if self._pid:
            return
        try:
            for each in sockets:
                each.close()
            with suppress(KeyboardInterrupt):
                _run_as_engine(settings, image, engine, log)
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


def _run_as_engine(settings: Settings, image: str, engine: str, log: Path | None) -> None:
    def work(picture: bytes) -> float:
        return measured_slowly(picture, settings.speed, log)[1]

    master = (settings.master_host, settings.master_port)
    run_engine(master, image, engine, settings.number, work, settings.idle_s, settings.host)


def _listen(host: str, port: int) -> None:
    """Serve one cluster after another; close a connection that sends anything else, and wait for the next one."""
    with socket.create_server((host, port)) as listener:
        while True:
            link, _ = listener.accept()
            try:
                serve(link, host, listener=listener)
            except (KeyError, TypeError, ValueError) as problem:
                print(f"lab: a connection to {host}:{port} was closed: {problem!r}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> None:
    """Run as a worker, or as the only engine of a container."""
    measure(cell_picture(1, 20, 128))  # loads the imports that engines need
    if arguments[0] == "engine":
        image, engine, settings = arguments[1:]
        _run_as_engine(Settings(**json.loads(settings)), image, engine, log=None)
    elif ":" in arguments[0]:
        host, _, port = arguments[0].rpartition(":")
        _listen(host, int(port))
    else:
        serve(socket.socket(fileno=int(arguments[0])), container=arguments[1] if arguments[1:] else None)


if __name__ == "__main__":
    main(sys.argv[1:])
