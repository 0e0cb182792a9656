"""Near or now: does a task wait for the executor that has its data, or run at once on another one? (Lab 5)

The cluster has two workers, each pinned to its own core; executors and Python workers inherit the core. Tasks work on
four cached partitions of one executor, with several values of `spark.locality.wait`.
"""

import json
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from streamlab.experiments.waiting import wait_until
from streamlab.kit_program import kit_environment, kit_program
from streamlab.progress import OnProgress, silent
from streamlab.services.ports import free_ports

PARTITIONS, TASKS, TASK_S, LIMIT_S = 8, 4, 0.5, 60.0  # one of two executors has at least 4 of 8 partitions
WAITS_S = (3, 0)
NOT_UP = "the cluster did not start"
RECORDED = Path(__file__).resolve().parents[3] / "datasets" / "lab05_placement" / "near_or_now" / "two_cores.json"


@dataclass(frozen=True)
class Run:
    """The result for one `spark.locality.wait`: seconds, and the tasks at each locality level and executor."""

    wait_s: float
    took_s: float
    levels: dict[str, int]
    executors: dict[str, int]


def near_or_now(master: str, waits_s: Sequence[float] = WAITS_S, on_progress: OnProgress = silent) -> list[Run]:
    """Measure on a cluster with two or more workers, one session after another. Call it in a separate process."""
    from streamlab.spark.sessions import job_on

    runs = []
    for wait_s in waits_s:
        on_progress(f"spark.locality.wait = {wait_s:g} s")
        more = {"spark.locality.wait": f"{wait_s:g}s", "spark.cores.max": "2", "spark.executor.cores": "1"}
        with job_on(master, "near or now", more) as context:
            runs.append(_run(context, wait_s))
    return runs


def _run(context: Any, wait_s: float) -> Run:
    _wait_for_two(context)
    numbers = context.parallelize(range(PARTITIONS), PARTITIONS)
    cached = numbers.flatMap(lambda _: [bytes(1000)] * 200).cache()
    homes = list(enumerate(cached.mapPartitions(lambda _: [where()]).collect()))
    fullest = Counter(home for _, home in homes).most_common(1)[0][0]
    of_one = [partition for partition, home in homes if home == fullest][:TASKS]
    began_s = time.monotonic()
    context.runJob(cached, work_on, of_one)
    took_s = time.monotonic() - began_s
    tasks = _tasks_of_last_stage(context)
    levels, executors = Counter(level for _, level in tasks), Counter(executor for executor, _ in tasks)
    return Run(wait_s, took_s, dict(levels), dict(executors))


def where() -> tuple[str, str]:
    """Return the machine of a task, and the cores that its process may use. Call it in a task."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return socket.gethostname(), status.split("Cpus_allowed_list:")[1].split()[0]


def work_on(rows: Iterable[Any]) -> list[int]:
    """Do the work of a task, which takes half a second."""
    time.sleep(TASK_S)
    return [sum(1 for _ in rows)]


def _wait_for_two(context: Any) -> None:
    """Wait until two executors have registered and tasks have run; the executors do not start at the same time."""

    def slowly(_: Iterable[Any]) -> Iterator[tuple[str, str]]:
        time.sleep(0.2)
        yield where()

    seen: set[Any] = set()
    deadline = time.monotonic() + LIMIT_S
    while context._jsc.sc().getExecutorMemoryStatus().size() < 3 or not seen:  # the driver is one of them
        seen |= set(context.parallelize(range(PARTITIONS), PARTITIONS).mapPartitions(slowly).collect())
        if time.monotonic() > deadline:
            raise TimeoutError(f"the cluster has not started two executors within {LIMIT_S:g} s")
    context.parallelize(range(PARTITIONS), PARTITIONS).mapPartitions(slowly).collect()  # each starts its Python


def _tasks_of_last_stage(context: Any) -> list[tuple[str, str]]:
    """Return (executor, locality level) of each task."""
    store = context._jsc.sc().statusStore()
    for stage in reversed(range(100)):
        tasks = store.taskList(stage, 0, 1000)
        if tasks.size():
            return [(tasks.apply(at).executorId(), tasks.apply(at).taskLocality()) for at in range(tasks.size())]
    return []


@contextmanager
def pinned_cluster(cores: Sequence[int]) -> Iterator[str]:
    """Start a master and one worker per core, as processes of this machine; yield the master's address."""
    port, page_port = free_ports(2)
    page, started = f"http://127.0.0.1:{page_port}", list[subprocess.Popen[bytes]]()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = _environment(port, page_port, folder)

        def start(role: str, *pinned: str) -> None:
            command = [*pinned, *kit_program("streamlab.spark.cluster", role)]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            started.append(subprocess.Popen(command, env=environment, **quiet))  # type: ignore[call-overload]

        try:
            start("master")
            wait_until(lambda: _has_workers(page, 0), NOT_UP, LIMIT_S)
            for core in cores:
                start("worker", "taskset", "--cpu-list", str(core))
            wait_until(lambda: _has_workers(page, len(cores)), NOT_UP, LIMIT_S)
            yield environment["STREAMLAB_MASTER"]
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()


def _environment(port: int, page_port: int, folder: str) -> dict[str, str]:
    return kit_environment() | {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_MASTER_HOST": "127.0.0.1",
        "SPARK_MASTER_PORT": str(port),
        "SPARK_MASTER_WEBUI_PORT": str(page_port),
        "SPARK_WORKER_CORES": "1",
        "SPARK_WORKER_MEMORY": "700m",
        "SPARK_WORKER_WEBUI_PORT": "0",
        "SPARK_WORKER_DIR": folder,
        "STREAMLAB_MASTER": f"spark://127.0.0.1:{port}",
        "STREAMLAB_KIT_ON_WORKERS": "1",
    }


def _has_workers(page: str, count: int) -> bool:
    """Return whether the master's page answers and shows `count` workers."""
    from streamlab.spark.cluster import workers_of

    with suppress(OSError, ValueError):
        return workers_of(page).alive == count
    return False


def as_json(runs: Sequence[Run], machine: dict[str, Any]) -> dict[str, Any]:
    """Return a measurement as the object that is saved as JSON."""
    return {"machine": machine, "runs": [asdict(run) for run in runs]}


def recorded_runs(path: Path = RECORDED) -> list[Run]:
    """Return the runs that `./lab experiment near-or-now` has written to `path`, by default those of the kit."""
    return [Run(**run) for run in json.loads(path.read_text(encoding="utf-8"))["runs"]]
