"""A worker: forks engines when told to, so that what they import is there already, and reports those that ended.

`python -m streamlab.harmonic.worker MASTER_PORT CONTROL_PORT NUMBER SPEED IDLE_S FOLDER`. Engines measure pictures on
slow cores: after t s of CPU an engine sleeps t/SPEED - t, so that two cores stand for more. The load of a message is
its CPU time over the time that the engine had a core or slept; waiting in the run queue does not count, or else engines
on a crowded machine would look idle.
"""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from streamlab.harmonic.engine import Work, run_engine
from streamlab.harmonic.frames import Frames, Head, connected, frame
from streamlab.pictures import cell_picture, measure

LOOK_S = 0.1


@dataclass(frozen=True)
class Settings:
    """What the command line says; the folder gets a file for each engine, with a line for each picture."""

    master_port: int
    control_port: int
    number: int
    speed: float
    idle_s: float
    folder: Path


def measured_slowly(speed: float, log: Path) -> Work:
    """Return work that measures a picture on a slow core, and notes "cells CPU-seconds" in a file."""

    def work(picture: bytes) -> float:
        began_s, cpu_before_s, waited_before_s = time.monotonic(), time.thread_time(), waited_s()
        cells, _ = measure(picture)
        cpu_s = time.thread_time() - cpu_before_s
        time.sleep(cpu_s / speed - cpu_s)
        with log.open("a") as lines:
            lines.write(f"{len(cells)} {cpu_s:.4f}\n")
        had_s = time.monotonic() - began_s - (waited_s() - waited_before_s)
        return cpu_s / max(cpu_s, had_s) / speed

    return work


def waited_s() -> float:
    """Return the seconds that this process was ready and had no core (0 where the system does not tell)."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def run_worker(settings: Settings) -> None:
    """Be a worker until the other side of the control connection is gone; then its engines are killed."""
    measure(cell_picture(1, 20, 128))  # what this imports, engines have from the start
    control = connected(("127.0.0.1", settings.control_port))
    control.sendall(frame({"what": "worker", "worker": settings.number}))
    control.settimeout(LOOK_S)
    frames, names = Frames(), dict[int, str]()
    while (data := _received(control)) != b"":
        for head, _ in frames.feed(data or b""):
            pid = _forked(head, settings, control)
            names[pid] = head["engine"]
            control.sendall(frame({"what": "started", "engine": head["engine"], "pid": pid}))
        for pid in [each for each in names if os.waitpid(each, os.WNOHANG)[0]]:
            control.sendall(frame({"what": "ended", "engine": names.pop(pid)}))
    for pid in names:
        os.kill(pid, signal.SIGKILL)


def _received(control: socket.socket) -> bytes | None:
    """What has come: None if nothing yet, b"" if the other side is gone."""
    try:
        return control.recv(65_536)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _forked(head: Head, settings: Settings, control: socket.socket) -> int:
    """The number of a new process, which is an engine."""
    if pid := os.fork():
        return pid
    control.close()
    work = measured_slowly(settings.speed, settings.folder / head["engine"])
    try:
        with suppress(KeyboardInterrupt):
            address = ("127.0.0.1", settings.master_port)
            run_engine(address, head["image"], head["engine"], settings.number, work, settings.idle_s)
    finally:
        os._exit(0)


if __name__ == "__main__":
    master, own_control, own_number, own_speed, own_idle_s, own_folder = sys.argv[1:7]
    given = Settings(
        int(master), int(own_control), int(own_number), float(own_speed), float(own_idle_s), Path(own_folder)
    )
    run_worker(given)
