"""A leader of the live system: `python -m streamlab.lab09_system.leader FOLDER NAME`.

It waits for ZooKeeper's lock. The one that holds it runs the learner's `Supervisor` over one program, the Spark job,
whose epoch is the leader's term * 1000 + the start. A leader that dies takes its job with it, by the job's input.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab09_system.live.settings import LOST_SESSION, PER_TERM, Settings, note, tasks_file
from streamlab.lab09_system.shipped import unshipped
from streamlab.lab09_system.words import RestartRules

JOB = "job"
LOOK_S = 0.02
FIRST_MS, MOST_MS, STABLE_MS, TRIES = 200, 5_000, 60_000, 5
GAVE_UP, NO_PARENT = 5, 6


class Leader:
    """Runs the orders of a Supervisor."""

    def __init__(self, supervisor: Any, folder: Path, term: int) -> None:
        self._supervisor, self._folder, self._term = supervisor, folder, term
        self._jobs: dict[int, subprocess.Popen[str]] = {}
        self._lock = threading.Lock()

    def run(self) -> None:
        """Run until this process ends, or until the job is given up."""
        while True:
            for epoch, job in list(self._jobs.items()):
                if job.poll() is not None:
                    del self._jobs[epoch]
                    note(self._folder, "events", what="ended", epoch=self._of_job(epoch), code=job.returncode)
                    with self._lock:
                        self._supervisor.ended(JOB, epoch, _now_ms())
            with self._lock:
                orders = self._supervisor.tick(_now_ms())
            for order in orders:
                self._obey(order.what, order.epoch)
            time.sleep(LOOK_S)

    def _obey(self, what: str, epoch: int) -> None:
        note(self._folder, "events", what=what, epoch=self._of_job(epoch), term=self._term)
        if what == "kill" and epoch in self._jobs:
            self._jobs[epoch].kill()
        elif what == "start":
            self._start(epoch)
        elif what == "give_up":
            os._exit(GAVE_UP)

    def _start(self, epoch: int) -> None:
        command = kit_program("streamlab.lab09_system.job", str(self._folder), str(self._of_job(epoch)))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with open(self._folder / "job.err", "a") as errors:
            job = subprocess.Popen(command, stderr=errors, env=kit_environment(), **pipes)  # type: ignore[call-overload]
        self._jobs[epoch] = job
        threading.Thread(target=self._follow, args=(job, epoch), daemon=True).start()

    def _follow(self, job: "subprocess.Popen[str]", epoch: int) -> None:
        for _ in job.stdout or ():
            with self._lock:
                self._supervisor.beat(JOB, epoch, _now_ms())

    def _of_job(self, epoch: int) -> int:
        return self._term * PER_TERM + epoch


def main(folder: Path, name: str) -> None:
    """Wait for the lock, then lead."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    logging.disable(logging.CRITICAL)
    from kazoo.client import KazooClient

    settings = Settings.read(folder)
    tasks = unshipped(tasks_file(folder))
    client = KazooClient(settings.zookeeper, timeout=settings.session_s)
    client.add_listener(lambda state: os._exit(LOST_SESSION) if state == "LOST" else None)
    client.start(60)
    note(folder, "events", what="waits", leader=name)
    client.Lock("/leader", name).acquire()
    client.ensure_path("/term")
    term = client.set("/term", name.encode()).version
    note(folder, "events", what="leads", leader=name, term=term)
    rules = RestartRules(settings.lease_ms, FIRST_MS, MOST_MS, STABLE_MS, TRIES)
    try:
        Leader(tasks.Supervisor((JOB,), rules), folder, term).run()
    except Exception as problem:  # the learner's Supervisor may raise anything
        note(folder, "events", what="failed", problem=f"{type(problem).__name__}: {problem}"[:400])
        os._exit(1)


def _now_ms() -> int:
    return int(1000 * time.monotonic())


def _end_with_the_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(NO_PARENT)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
