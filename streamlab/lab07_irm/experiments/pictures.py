"""Compares allocated and used cores of HarmonicIO and Spark on pictures, with the same number of slow cores. (Lab 7)

On Spark, the pictures are a stream of files. Its executors exist from the beginning (static), follow Spark's dynamic
allocation, or follow the lab's `SparkScaler`. As a program, this module is the daemon of Spark's Python workers: it
imports scikit-image before it forks them, as HarmonicIO's workers do, and gives them the same slow cores.
"""

import json
import math
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from streamlab.lab07_irm import cell_pictures, cluster, worker
from streamlab.lab07_irm.datatypes import Rules
from streamlab.progress import OnProgress, silent

WORKERS, CORES, SPEED = 2, 2, 0.35
MOST = WORKERS * CORES
COUNT, CELLS = 300, 150
WARM_UP = 16  # more than the long queue of the rules; otherwise the scaler would not request executors
EVERY_S, POLL_S, IDLE_S = 0.05, 0.25, 3.0
LIMIT_S, LIMIT_PER_PICTURE_S = 120.0, 1.0
ERROR_CHARS = 300
SLOW_CORES = "STREAMLAB_SLOW_CORES"  # SPEED:FOLDER, for the daemon
SCHEMA = "path string, modificationTime timestamp, length long, content binary"
ONE_PICTURE_A_TASK = {"spark.sql.files.maxPartitionBytes": "1", "spark.sql.files.openCostInBytes": "0"}
DYNAMIC = {
    "spark.dynamicAllocation.schedulerBacklogTimeout": "1s",
    "spark.dynamicAllocation.executorIdleTimeout": f"{IDLE_S:g}s",
}


@dataclass(frozen=True)
class PictureRun:
    """The result of one system. `right`: pictures in which all cells were found.

    `start_s`: time until it could accept a picture. `warm_up_s`: time of Spark's first pictures, during which executors
    start. The measured pictures follow: `makespan_s` is the time from the first one to the last result, and `allocated`
    and `used` are the mean numbers of cores in each second, until executors or engines have ended (static: until the
    last result). A core is used while it works on a picture, without the time in which the process waits for a core.
    """

    system: str
    start_s: float
    warm_up_s: float
    makespan_s: float
    right: int
    allocated: list[float]
    used: list[float]

    @property
    def used_share(self) -> float:
        """The core-seconds used, divided by the core-seconds allocated."""
        return sum(self.used) / sum(self.allocated)


def measure(lab: Any, count: int = COUNT, on_progress: OnProgress = silent) -> Iterator[PictureRun]:
    """Measure HarmonicIO and Spark's three ways, one after another; `lab` has the tasks of Lab 7.

    Ends a running session. Raises ValueError if STREAMLAB_MASTER names a cluster, RuntimeError if a system fails, and
    TimeoutError if one is too slow.
    """
    if os.environ.get("STREAMLAB_MASTER"):
        raise ValueError("the pictures are measured on this machine: unset STREAMLAB_MASTER")
    on_progress("checking your tasks of Lab 7")
    master, manager, cell_counts, scaler = lab.Master, lab.Manager, lab.cell_counts, lab.SparkScaler
    drawn = [cell_pictures.cell_picture(seed, CELLS) for seed in range(4)]
    sent = [drawn[number % len(drawn)] for number in range(count)]
    on_progress(f"HarmonicIO: {count} pictures")
    yield on_harmonic(master(1000), manager, sent)
    scaling = scaler(Rules(few=1, many=2, pause_s=1), IDLE_S, MOST)
    ways: list[tuple[str, Mapping[str, str], Any]] = [
        ("static", {}, None),
        ("dynamic", DYNAMIC, None),
        ("SparkScaler", {}, scaling),
    ]
    for name, more, decider in ways:
        on_progress(f"Spark, {name}: {WARM_UP} pictures to warm up, then {count}")
        yield on_spark(name, more, cell_counts, decider, sent)


def on_harmonic(master: Any, manager: Any, sent: Sequence[bytes]) -> PictureRun:
    """Measure HarmonicIO on the pictures."""
    setup = cluster.Setup(WORKERS, CORES, SPEED, limit_s=_limit_s(sent))
    rules = Rules(default_size=1000 // CORES, pause_s=1, few=1, many=2)
    live = cluster.play_pictures(master, manager(rules), sent, EVERY_S, setup)
    right = sum(cells == CELLS for cells, _ in live.measured)
    allocated = cores_per_second([(each.now_s, each.engines) for each in live.moments])
    used = mean_per_second(
        (began_s, ended_s, _part(cpu_s, ended_s - began_s))
        for (_, cpu_s), (began_s, ended_s) in zip(live.measured, live.busy_s, strict=True)
    )
    return PictureRun("HarmonicIO", live.start_s, 0.0, live.makespan_s, right, allocated, used)


def on_spark(name: str, more: Mapping[str, str], cell_counts: Any, scaler: Any, sent: Sequence[bytes]) -> PictureRun:
    """Measure Spark on the pictures; `more` are its settings, and `scaler`, unless None, decides about executors."""
    from streamlab.spark.sessions import end_session, session

    end_session()
    with TemporaryDirectory(prefix="streamlab-pictures-", ignore_cleanup_errors=True) as folder:
        log = Path(folder, "log")
        log.mkdir()
        began_s = time.monotonic()
        try:
            spark = session("pictures", elastic=(WORKERS, CORES), more=_settings(log) | dict(more))
            stream = _Stream(spark, cell_counts, Path(folder), scaler, stays=name == "static")
            start_s = time.monotonic() - began_s
            began_s = time.monotonic()
            stream.play(sent[:WARM_UP], 0.0)
            warm_up_s = stream.last_s - began_s
            began_s = time.monotonic()
            executors = stream.play(sent, EVERY_S)
            stream.stop()
        finally:
            end_session()
        rows = [each for each in cluster.measured_in(log) if each[2] > began_s]
    right = sum(cells == CELLS for cells in stream.cells[WARM_UP:])
    allocated = cores_per_second(executors)
    used = mean_per_second(
        (from_s - began_s, to_s - began_s, _part(cpu_s, to_s - from_s)) for _, cpu_s, from_s, to_s in rows
    )
    return PictureRun(f"Spark, {name}", start_s, warm_up_s, stream.last_s - began_s, right, allocated, used)


class _Stream:
    """A query on a folder of pictures, and the executors that work on it."""

    def __init__(self, spark: Any, cell_counts: Any, folder: Path, scaler: Any, stays: bool) -> None:
        from streamlab.spark.executors import Executors

        self._executors, self._scaler, self._stays = Executors(spark.sparkContext), scaler, stays
        self._folder, self._incoming = folder, folder / "incoming"
        self._incoming.mkdir()
        self._sent, self.cells, self.last_s = 0, list[int | None](), 0.0
        found = cell_counts(spark.readStream.format("binaryFile").schema(SCHEMA).load(str(self._incoming)))
        writer = found.writeStream.foreachBatch(self._take).trigger(processingTime="1 seconds")
        self._query = writer.option("checkpointLocation", str(folder / "checkpoint")).start()
        if stays:
            self._executors.request(MOST)

    def play(self, sent: Sequence[bytes], every_s: float) -> list[tuple[float, int]]:
        """Play pictures until all are done and, unless executors stay, none is left; return (seconds, executors)."""
        began_s, until, seen = time.monotonic(), len(self.cells) + len(sent), list[tuple[float, int]]()
        threading.Thread(target=self._feed, args=(sent, every_s), daemon=True).start()
        while True:
            is_done, executors, now_s = len(self.cells) >= until, self._executors.running(), time.monotonic()
            seen.append((now_s - began_s, len(executors)))
            if is_done and (self._stays or not executors):
                return seen
            if not self._query.isActive:
                raise RuntimeError(f"Spark failed: {str(self._query.exception())[:ERROR_CHARS]}")
            if now_s > began_s + _limit_s(sent):
                raise TimeoutError(f"{len(self.cells)} of {until} pictures were done in {_limit_s(sent):g} s")
            if self._scaler is not None:
                self._scale(now_s, executors)
            time.sleep(POLL_S)

    def stop(self) -> None:
        """End the query."""
        self._query.stop()

    def _scale(self, now_s: float, executors: Sequence[Any]) -> None:
        waiting = waiting_pictures(self._executors, self._sent, len(self.cells))
        decision = self._scaler.decide(now_s, waiting, executors)
        if decision.retire:
            self._executors.retire(decision.retire)
        self._executors.request(decision.total)

    def _feed(self, sent: Sequence[bytes], every_s: float) -> None:
        for picture in sent:
            draft = self._folder / "draft"
            draft.write_bytes(picture)
            draft.rename(self._incoming / f"{self._sent:06}.png")
            self._sent += 1
            time.sleep(every_s)

    def _take(self, batch: Any, number: int) -> None:
        self.cells += [row["cells"] for row in batch.collect()]
        self.last_s = time.monotonic()


def waiting_pictures(executors: Any, sent: int, done: int) -> int:
    """Return the number of tasks that no executor has started, plus the pictures that are not in a batch yet.

    Without the latter, executors would be retired between two batches.
    """
    return int(executors.waiting()) + max(0, sent - done - executors.tasks())


def cores_per_second(samples: Sequence[tuple[float, int]]) -> list[float]:
    """Return the mean number of cores in each second; a sample (seconds, cores) is valid until the next one."""
    ends = [*(at_s for at_s, _ in samples[1:]), samples[-1][0]]
    return mean_per_second((at_s, to_s, cores) for (at_s, cores), to_s in zip(samples, ends, strict=True))


def mean_per_second(spans: Iterable[tuple[float, float, float]]) -> list[float]:
    """Return the mean number of cores in each second from 0 on; a span is (from, to, cores).

    Example: mean_per_second([(0.5, 2.0, 4)]) -> [2.0, 4.0]
    """
    spans = list(spans)
    cores = [0.0] * math.ceil(max((to_s for _, to_s, _ in spans), default=0))
    for from_s, to_s, count in spans:
        for second in range(math.floor(from_s), math.ceil(to_s)):
            cores[second] += count * (min(to_s, second + 1) - max(from_s, second))
    return [round(each, 3) for each in cores]


def as_json(runs: Sequence[PictureRun], count: int, machine: Mapping[str, Any]) -> dict[str, Any]:
    """Return a measurement as the object that is saved as JSON."""
    setup = {"pictures": count, "every_s": EVERY_S, "workers": WORKERS, "cores": CORES, "speed": SPEED}
    return {"machine": dict(machine), "setup": setup, "runs": [asdict(run) for run in runs]}


def runs_in(path: Path) -> list[PictureRun]:
    """Return the runs in a saved measurement."""
    return [PictureRun(**run) for run in json.loads(path.read_text(encoding="utf-8"))["runs"]]


def _part(cpu_s: float, took_s: float) -> float:
    """Return the share of a slow core that a picture used during `took_s`."""
    return min(1.0, cpu_s / SPEED / took_s)


def _limit_s(sent: Sequence[bytes]) -> float:
    return LIMIT_S + LIMIT_PER_PICTURE_S * len(sent)


def _settings(log: Path) -> dict[str, str]:
    own = {"spark.python.daemon.module": __name__, f"spark.executorEnv.{SLOW_CORES}": f"{SPEED}:{log}"}
    return ONE_PICTURE_A_TASK | own | {"spark.executorEnv.OMP_NUM_THREADS": "1"}


def run_daemon() -> None:
    """Run the daemon of Spark's Python workers, which loads the imports of `measure` in advance and slows its cores."""
    from streamlab.spark.fast_start import workers

    speed, _, folder = os.environ[SLOW_CORES].partition(":")

    def slowly(content: bytes) -> worker.Measured:
        return worker.measured_slowly(content, float(speed), Path(folder, str(os.getpid())))[0]

    cell_pictures.measure(cell_pictures.cell_picture(1, 20, 128))
    cell_pictures.measure = slowly  # tasks find it by its name
    workers.main()


if __name__ == "__main__":
    run_daemon()
