"""A standalone cluster of plain processes on this machine's loopback: a master, and workers that can be killed."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from streamlab.services.ports import free_ports
from streamlab.spark import cluster, cluster_secret
from streamlab.spark.jvm import ROOT

LIMIT_S = 90.0


@dataclass
class PlainCluster:
    """The running processes, and the environment for their clients. `kit` is the folder whose code the workers have."""

    folder: Path
    environment: dict[str, str]
    kit: Path = ROOT
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def master(self) -> str:
        """Return the master's address, for example "spark://127.0.0.1:41234"."""
        return self.environment["STREAMLAB_MASTER"]

    def start(self, role: str, kit: Path | None = None, **environment: str) -> subprocess.Popen[bytes]:
        """Start a master or a worker, with another kit if one is given."""
        own = {**self.environment, "PYTHONPATH": str(kit or self.kit), **environment}
        with open(self.folder / "log", "ab") as log:
            command = [sys.executable, "-m", "streamlab.spark.cluster", role]
            process = subprocess.Popen(command, env=own, cwd=self.folder, stdout=log, stderr=log)
        if role == "worker":
            self.workers.append(process)
        return process

    def wait_for_workers(self, count: int) -> None:
        wait_until(lambda: self._workers().alive == count, f"the master does not have {count} workers")

    def wait_until_idle(self) -> None:
        """Wait until the last session has released its cores."""
        wait_until(lambda: self._workers().cores_used == 0, "a session keeps its cores")

    def _workers(self) -> cluster.Workers:
        return cluster.workers_of(self.environment["STREAMLAB_MASTER_PAGE"])

    def kill_worker(self) -> None:
        """Kill the newest worker and all its executors, as if its machine failed."""
        worker = self.workers.pop()
        for process in [*psutil.Process(worker.pid).children(recursive=True), psutil.Process(worker.pid)]:
            with contextlib.suppress(psutil.Error):
                process.kill()
        worker.wait()


@contextmanager
def plain_cluster(
    folder: Path, workers: int = 2, cores: int = 1, kit: Path = ROOT, own: Mapping[str, str] | None = None
) -> Iterator[PlainCluster]:
    """Run a master and `workers` workers with `cores` cores each, until the end of the block."""
    port, page_port = free_ports(2)
    environment = os.environ | {
        "STREAMLAB_MASTER": f"spark://127.0.0.1:{port}",
        "STREAMLAB_MASTER_PAGE": f"http://127.0.0.1:{page_port}",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_MASTER_HOST": "127.0.0.1",
        "SPARK_MASTER_PORT": str(port),
        "SPARK_MASTER_WEBUI_PORT": str(page_port),
        "SPARK_WORKER_WEBUI_PORT": "0",
        "SPARK_WORKER_CORES": str(cores),
        "SPARK_WORKER_MEMORY": "2g",
        "SPARK_WORKER_DIR": str(folder),
        cluster_secret.FILE: str(folder / "cluster-secret"),
        **(own or {}),
    }
    made = PlainCluster(folder, environment, kit)
    with contextlib.ExitStack() as running:
        running.callback(_end, made.workers)
        running.callback(_end, [made.start("master")])
        wait_until(Path(environment[cluster_secret.FILE]).exists, "the master makes no secret")
        for _ in range(workers):
            made.start("worker")
        made.wait_for_workers(workers)
        yield made


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()  # a worker ends its executors
    for process in processes:
        process.wait()


def wait_until(reached: Callable[[], bool], otherwise: str, limit_s: float = LIMIT_S) -> None:
    """Wait until `reached` returns true; an OSError or ValueError counts as not reached."""
    deadline_s = time.monotonic() + limit_s
    while True:
        with contextlib.suppress(OSError, ValueError):
            if reached():
                return
        assert time.monotonic() < deadline_s, otherwise
        time.sleep(0.1)
