"""Managers and candidates as real processes, which a notebook starts, kills with SIGKILL, and observes by their logs.

A process is `python -m streamlab.lab05_placement.managers.processes FOLDER`; it gets a learner's class by value, as
Spark's workers do.
"""

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab05_placement.managers.programs import Logged, read_log

JOB, LOG, FAILURE = "job", "log", "failure.txt"


class ProcessFailed(RuntimeError):
    """A process ended by itself; the message says why."""


class Processes:
    """Processes by name; the end of the `with` block kills all of them.

    Example: processes.start("m0", run_manager, InstanceManager, address, "/cep", session_s=1.0, node=0)
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lab5-")
        self._started: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._started:
            self.kill(name)
        self._folder.cleanup()

    def start(self, name: str, program: Callable[..., Any], role: Any, address: str, root: str, **more: Any) -> None:
        """Start `program` (`run_manager` or `run_candidate`) with a learner's class and further keyword arguments."""
        from pyspark import cloudpickle

        folder = Path(self._folder.name, name)
        folder.mkdir()
        keywords: Mapping[str, Any] = {"log": folder / LOG, **more}
        (folder / JOB).write_bytes(cloudpickle.dumps((program, (role, address, root, name), keywords)))
        self._started[name] = subprocess.Popen(
            kit_program("streamlab.lab05_placement.managers.processes", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kit_environment(),
        )

    def pid(self, name: str) -> int:
        """Return the process ID."""
        return self._started[name].pid

    def log(self, name: str) -> list[Logged]:
        """Return the events that a process has logged; raises ProcessFailed if it has ended by itself."""
        if self._started[name].poll() is not None and self._started[name].returncode != -9:
            file = Path(self._folder.name, name, FAILURE)
            reason = file.read_text(encoding="utf-8") if file.exists() else "it left no reason"
            raise ProcessFailed(f"{name} has ended: {reason}")
        return read_log(Path(self._folder.name, name, LOG))

    def kill(self, name: str) -> float:
        """Kill a process with SIGKILL and return the time of the kill, on the clock of the logs."""
        self._started[name].kill()
        killed_s = time.monotonic()
        self._started[name].wait()
        return killed_s


def main(folder: Path) -> None:
    """Run the job in a folder; if it fails, write the error to a file in the same folder."""
    try:
        program, arguments, keywords = pickle.loads((folder / JOB).read_bytes())
        program(*arguments, **keywords)
    except Exception as problem:
        (folder / FAILURE).write_text(f"{type(problem).__name__}: {problem}", encoding="utf-8")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
