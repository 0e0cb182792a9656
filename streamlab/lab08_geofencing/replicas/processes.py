"""Replicas as processes that can be started, awaited, killed with SIGKILL and restarted, and never outlive their owner.

`make` goes to the process by value through its stdin, as functions of a notebook go to Spark's workers. The process
ends when that pipe closes, and therefore also when the notebook's kernel is killed. Clients send only lines of JSON.
"""

import json
import os
import pickle
import select
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

from streamlab.granted_time import LONGEST, own_deadline
from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab08_geofencing.geo import NotCaughtUp, Polygons
from streamlab.lab08_geofencing.replicas.client import RemoteReplica
from streamlab.lab08_geofencing.replicas.server import Replicated, serve

ANYWHERE: Polygons = ((((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)),),)
PATIENCE_S = 30.0


class ReplicaFailed(RuntimeError):
    """A replica's process ended by itself or did not become ready; the message says why."""


class ReplicaProcess:
    """A process that serves the replica of `make()`; the end of the `with` block kills it.

    A restarted replica listens on its previous port. `settings` are those of `serve`.
    """

    def __init__(self, make: Callable[[], Replicated], **settings: float) -> None:
        from pyspark import cloudpickle

        self._job, self._settings, self.port = cloudpickle.dumps(make), settings, 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        if not self.is_alive:
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The id of the process, or None before the first start."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process and return at once; raises RuntimeError if it already runs."""
        if self.is_alive:
            raise RuntimeError(f"the replica on port {self.port} runs already; call kill() first")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        command = kit_program(
            "streamlab.lab08_geofencing.replicas.processes", json.dumps({**self._settings, "port": self.port})
        )
        process = subprocess.Popen(command, **pipes, env=kit_environment())  # type: ignore[call-overload]
        self._process = process
        weakref.finalize(self, _end, process)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # the next wait reports a process that has already failed
            process.stdin.write(len(self._job).to_bytes(8) + self._job)
            process.stdin.flush()

    def wait_until_listening(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until it accepts questions, which it may reject; raises ReplicaFailed if it ends or takes too long."""
        output = self._process.stdout if self._process else None
        if output is None:
            raise RuntimeError("the replica was not started; call start() first")
        ready, _, _ = select.select([output], [], [], LONGEST * timeout_s)
        if not ready:
            raise ReplicaFailed(f"a replica did not listen within {timeout_s:g} s")
        report = json.loads(output.readline() or b"{}")
        if "port" not in report:
            raise ReplicaFailed(report.get("failed", "a replica ended before it listened"))
        self.port = report["port"]

    def wait_until_ready(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until it has caught up and answers; raises ReplicaFailed if it ends or takes too long."""
        deadline, client = own_deadline(timeout_s), self.client()
        try:
            while True:
                with suppress(NotCaughtUp, OSError):
                    client.within(ANYWHERE)
                    return
                self._require_alive()
                if deadline.is_over:
                    raise ReplicaFailed(f"the replica on port {self.port} was not ready within {timeout_s:g} s")
                time.sleep(0.005)
        finally:
            client.close()

    def client(self, timeout_s: float = 2.0) -> RemoteReplica:
        """Return a new client of this replica, which remains valid if the replica is killed and restarted."""
        return RemoteReplica(self.port, timeout_s)

    def kill(self) -> None:
        """Kill the process with SIGKILL and wait for its end; has no effect on a process that has ended."""
        if self._process is not None:
            _end(self._process)

    def _require_alive(self) -> None:
        if not self.is_alive:
            last = self._process.stdout.read().splitlines() if self._process and self._process.stdout else []
            raise ReplicaFailed(json.loads(last[-1])["failed"] if last else f"the replica on port {self.port} ended")


@contextmanager
def replica_processes(
    make: Callable[[], Replicated], count: int = 3, **settings: float
) -> Iterator[list[ReplicaProcess]]:
    """Start `count` replicas and wait until all are ready; the end of the block kills those that still run."""
    with ExitStack() as running:
        replicas = [running.enter_context(ReplicaProcess(make, **settings)) for _ in range(count)]
        for each in replicas:
            each.wait_until_listening()
        for each in replicas:
            each.wait_until_ready()
        yield replicas


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()


def main(settings: dict[str, Any]) -> None:
    """Run in the process: read the job, then serve until killed or until the parent has ended."""
    import logging

    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    job = sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(8)))
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    try:
        serve(pickle.loads(job), **settings, listening=lambda port: _report(port=port))
    except Exception as problem:
        _report(failed=f"{type(problem).__name__}: {' '.join(str(problem).split())[:500]}")
        os._exit(1)


def _end_with_the_parent() -> None:
    sys.stdin.buffer.read(1)
    os._exit(0)


def _report(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
