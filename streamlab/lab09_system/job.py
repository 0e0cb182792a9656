"""The Spark job of the live system: `python -m streamlab.lab09_system.job FOLDER EPOCH`.

It runs the learner's `alerts` and `start_job`, prints a beat every 0.1 s, and ends when its input ends: its leader has
died. Then another leader starts a job on the same checkpoint, so Spark's Java must end, too.
"""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from streamlab.lab09_system.live.settings import COMPUTED, HOLD_JOB, Settings, note, tasks_file
from streamlab.lab09_system.shipped import unshipped
from streamlab.lab09_system.store import store_opener

BEAT_S = 0.1
ENDED_WITH_LEADER, FAILED = 3, 1


class HeldWriter:
    """Passes batches on to a writer; here a job can be held and killed when a batch is computed and not yet written."""

    def __init__(self, writer: Any, folder: Path, epoch: int) -> None:
        self._writer, self._folder, self._epoch = writer, folder, epoch

    @property
    def last(self) -> int:
        """The last complete batch."""
        return int(self._writer.last)

    def write(self, number: int, rows: Any) -> bool:
        """Return what the writer returns."""
        if rows and (self._folder / HOLD_JOB).exists():
            (self._folder / COMPUTED).touch()
            while (self._folder / HOLD_JOB).exists():
                time.sleep(0.01)
            time.sleep(60)  # it is killed meanwhile
        was_written: bool = self._writer.write(number, rows)
        note(self._folder, "batches", epoch=self._epoch, number=number, rows=len(rows))
        return was_written


def main(folder: Path, epoch: int) -> None:
    """Run the job until it fails, or until its leader dies."""
    from streamlab.lab09_system.alert_log import AlertLog
    from streamlab.spark import jvm, kafka_connector

    os.environ.setdefault("STREAMLAB_MASTER", "local[2,4]")  # a task of a killed worker gets more attempts
    os.environ[jvm.CONNECTORS] = "kafka"
    kafka_connector.fetch()
    java = jvm.start_early().process.pid
    threading.Thread(target=_end_with_the_leader, args=(java,), daemon=True).start()
    pids = [os.getpid(), java]
    note(folder, "pids", epoch=epoch, pids=pids, began=[psutil.Process(pid).create_time() for pid in pids])
    try:
        settings = Settings.read(folder)
        tasks = unshipped(tasks_file(folder), _session)
        writer = HeldWriter(tasks.AlertWriter(AlertLog(settings.kafka), epoch, settings.tries), folder, epoch)
        query = _started(tasks, settings, writer, folder)
        note(folder, "events", what="ready", epoch=epoch)
        _beat(query, folder, epoch)
        problem: Any = query.exception() or "the query ended by itself"
    except Exception as error:
        problem = error
    note(folder, "events", what="failed", epoch=epoch, problem=_short(problem))
    _end(java, FAILED)


def _started(tasks: Any, settings: Settings, writer: HeldWriter, folder: Path) -> Any:
    from streamlab.lab09_system.topics import records_from

    spark = _session()
    spark.conf.set("spark.sql.shuffle.partitions", str(settings.shards))
    records = records_from(spark, settings.kafka)
    opener = store_opener(settings.redis, tasks.GuardedStore, tasks.LruCache, folder, settings.ttl_s)
    rows = tasks.alerts(records, settings.shards, settings.lateness_s, opener)
    return tasks.start_job(rows, writer, str(folder / "checkpoint"))


def _session() -> Any:
    from streamlab.spark import session

    return session("lab09_system", kafka=True)


def _beat(query: Any, folder: Path, epoch: int) -> None:
    tracker, seen, retried = _session().sparkContext.statusTracker(), None, set[int]()
    while query.isActive:
        print("beat", flush=True)
        for stage in tracker.getActiveStageIds():
            told = tracker.getStageInfo(stage)
            if told is not None and told.numFailedTasks and stage not in retried:
                retried.add(stage)
                note(folder, "retries", epoch=epoch, stage=stage)
        progress = query.lastProgress
        if progress and progress["batchId"] != seen:
            seen = progress["batchId"]
            dropped = sum(int(each["numRowsDroppedByWatermark"]) for each in progress["stateOperators"])
            note(folder, "progress", epoch=epoch, batch=seen, rows=progress["numInputRows"], dropped=dropped,
                 ms=dict(progress["durationMs"]))  # fmt: skip
        time.sleep(BEAT_S)


def _end_with_the_leader(java: int) -> None:
    sys.stdin.buffer.read()
    _end(java, ENDED_WITH_LEADER)


def _end(java: int, code: int) -> None:
    with suppress(OSError):
        os.kill(java, signal.SIGKILL)
    os._exit(code)


def _short(problem: Any) -> str:
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    python = [line for line in lines if line.split(":")[0].split(".")[-1].endswith(("Error", "Fenced"))]
    return f"{type(problem).__name__}: {(python or lines or [''])[-1]}"[:400]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
