"""The job of `push` on two topics of a real broker, killed with SIGKILL inside a batch and started again.

The learner's `partition_for` of Lab 3 chooses the partitions of positions. The sink writes a file for each batch, and
the same rows to a table through the learner's `write_once`.
"""

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows, plain
from autograder.inside.servers import own_server
from streamlab.lab08_geofencing.two_topics import FENCES, PARTITIONS, POSITIONS, Sent, two_topics
from streamlab.quiet_log import quiet_log
from streamlab.sources.topics import ANY_TIME, new_topic, send
from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import described_query
from streamlab.spark.killable_job import KillableJob

PartitionFor = Callable[[Any, int], int]
FIELDS = ("kind", "mover", "fence", "time")


def event_of(row: Any) -> list[Any]:
    """Return [kind, mover, fence, time in ms] of a row, with None for missing fields."""
    found = [row[name] if name in row.__fields__ else None for name in FIELDS]
    time = found.pop()
    return plain([*found, round(1000 * time.timestamp()) if isinstance(time, datetime) else time])


class PushJob:
    """A query with a checkpoint, files of answers and a table in `folder`; they outlive the process that runs it."""

    def __init__(self, push: Any, write_once: Any, shards: int, lateness_s: float, folder: Path) -> None:
        self.push, self.write_once, self.shards, self.lateness_s = push, write_once, shards, lateness_s
        self.checkpoint, self.table = str(folder / "checkpoint"), str(folder / "table")
        self.files, self.process = folder / "files", folder / "process"

    def start(self, spark: Any, topics: Sequence[str], *, stuck: bool = False) -> Any:
        """Start or resume the query; with `stuck`, it stops in the first batch with rows, before writing them."""
        records = two_topics(spark, *topics)
        described = described_query(lambda rows: self.push(rows, self.shards, self.lateness_s), records)
        output = described.writeStream.outputMode("append").option("checkpointLocation", self.checkpoint)
        return output.foreachBatch(partial(self._write, stuck)).start()

    def _write(self, stuck: bool, batch: Any, number: int) -> None:
        batch.persist()
        rows = [event_of(row) for row in batch.collect()]
        if rows and stuck:
            write_whole(self.process / "computed", "")
            threading.Event().wait()  # until the process is killed
        write_whole(self.files / f"{number}.json", json.dumps(rows))
        self.write_once(batch, number, self.table)
        batch.unpersist()

    def answers(self, spark: Any) -> Rows:
        """Return the rows of all files, those of the table, and the number of groups in the state."""
        files = [json.loads(path.read_text("utf-8")) for path in self.files.glob("*.json")]
        events = [row for rows in files for row in rows]
        return {"events": events, "table": self._table(spark), "groups": self._groups(spark)}

    def _table(self, spark: Any) -> list[Any] | None:
        from pyspark.errors import PySparkException

        try:
            return [event_of(row) for row in spark.read.parquet(self.table).collect()]
        except PySparkException:  # the table does not exist
            return None

    def _groups(self, spark: Any) -> int | None:
        """Return how many groups have a state in the checkpoint: Spark keeps one row for each."""
        from pyspark.errors import PySparkException

        try:
            return int(spark.read.format("statestore").load(self.checkpoint).count())
        except PySparkException:  # no state
            return None


def killed_and_restarted(job: PushJob, spark: Any, records: Sequence[Sent], partition_for: PartitionFor) -> Rows:
    """Send all records, kill a first run of the job inside a batch, let a second one finish, and return the answers."""
    kafka = own_server("kafka")
    fences, positions = new_topic(kafka.address, 1, ANY_TIME), new_topic(kafka.address, PARTITIONS, ANY_TIME)
    send(kafka.address, fences, [sent[1:] for sent in records if sent.topic == FENCES])
    _send_positions(kafka.address, positions, [sent for sent in records if sent.topic == POSITIONS], partition_for)
    topics = kafka.address, fences, positions
    job.process.mkdir()
    with KillableJob(run_until_stuck, job, topics, folder=job.process) as process:
        process.wait_until(lambda: any((job.process / name).exists() for name in ("computed", "idle")))
    was_inside_a_batch = (job.process / "computed").exists()
    running = job.start(spark, topics)
    try:
        running.processAllAvailable()
    finally:
        running.stop()
    return {**job.answers(spark), "killed": was_inside_a_batch}


def _send_positions(address: str, topic: str, records: Sequence[Sent], partition_for: PartitionFor) -> None:
    from kafka import KafkaProducer

    with quiet_log("kafka"), closing(KafkaProducer(bootstrap_servers=address, acks="all")) as producer:
        sent = [
            producer.send(topic, value, key, partition=partition_for(key, PARTITIONS), timestamp_ms=time_ms)
            for _, key, value, time_ms in records
        ]
        producer.flush()
        for each in sent:
            each.get(timeout=0)


def run_until_stuck(job: PushJob, topics: Sequence[str]) -> None:
    """Run the job in the process that is to be killed."""
    from streamlab.spark import session

    job.start(session("job"), topics, stuck=True).processAllAvailable()
    write_whole(job.process / "idle", "")  # no batch had rows
    threading.Event().wait()
