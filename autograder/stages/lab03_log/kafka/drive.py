"""Run a learner's standing query on records in a real broker; the case may kill the job, the broker or both.

All cases of this process share one broker. The sink is the autograder's and writes a file for each batch, so that a
repeated batch replaces its file: only the query is judged.
"""

import json
import time
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.patience import at_the_latest_s, wait_until
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.inside.servers import own_server
from autograder.stages.lab03_log.kafka.drive_table import written
from autograder.stages.lab03_log.log.drive_batches import in_bytes
from streamlab.lab03_log.topic_playback import CLOSING, topic_as_stream
from streamlab.sources.topics import ANY_TIME, new_topic, send
from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import NoStream, described_query
from streamlab.spark.killable_job import KillableJob

COLUMNS = ["start", "end", "key", "count"]
NOWHERE = "127.0.0.1:9"  # a query that is only described connects to no broker
PATIENCE_S = 60.0


class StandingQuery:
    """A query on a topic, with a checkpoint and a folder of answers: both outlive the process that runs it."""

    def __init__(self, counts: Any, case: dict[str, Any], address: str, topic: str, folder: Path) -> None:
        self.counts, self.case, self.address, self.topic, self.folder = counts, case, address, topic, folder

    def start(self, spark: Any, *, stuck: bool = False) -> Any:
        """Start the query, or continue where the last run ended.

        With `stuck`, it stops in the first batch that has rows, after writing them.
        """
        window_s, watermark_s = self.case["window_s"], self.case["watermark_s"]
        events = topic_as_stream(spark, self.address, self.topic)
        described = described_query(lambda rows: self.counts(rows, window_s, watermark_s), events)
        columns = described.columns
        output = described.writeStream.outputMode("append").option(
            "checkpointLocation", str(self.folder / "checkpoint")
        )
        return output.foreachBatch(lambda batch, number: self._write(batch, number, columns, stuck)).start()

    def _write(self, batch: Any, number: int, columns: list[str], stuck: bool) -> None:
        order = COLUMNS if sorted(columns) == sorted(COLUMNS) else columns
        rows = [plain([row[name] for name in order]) for row in batch.collect()]
        write_whole(self.folder / "rows" / f"{number}.json", json.dumps({"columns": columns, "windows": rows}))
        if rows and stuck:
            write_whole(self.folder / "stuck", "")
            time.sleep(at_the_latest_s(PATIENCE_S))

    def answer(self) -> Rows:
        """Return all rows of all batches, and the columns."""
        written = [json.loads(path.read_text("utf-8")) for path in sorted((self.folder / "rows").glob("*.json"))]
        columns = written[0]["columns"] if written else []
        return {"windows": sorted((row for each in written for row in each["windows"]), key=repr), "columns": columns}


@drive("kafka_counts")
def kafka_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the windows after a record from the far future has closed them; the case says what to kill."""

    def described() -> Rows:
        nothing = topic_as_stream(spark, NOWHERE, "none")
        query = described_query(lambda rows: stage.kafka_counts(rows, case["window_s"], case["watermark_s"]), nothing)
        return {"streams": query.isStreaming}

    try:
        if "described" in case:
            return or_rejected(described)
        described()  # before waiting for a broker
        return _counted(stage.kafka_counts, spark, case, scratch)
    except NoStream as other:
        return {"returned": type_name(other.returned)}


def _counted(counts: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    kafka, dies = own_server("kafka"), case.get("kill")
    topic = new_topic(kafka.address, case.get("partitions", 2), ANY_TIME)
    query = StandingQuery(counts, case, kafka.address, topic, scratch)
    records = [(in_bytes(key), in_bytes(value), when_ms) for key, value, when_ms in case["records"]]
    send(kafka.address, topic, records)
    restarts = RUNS[dies](query, spark, scratch)
    return query.answer() | ({"restarts": restarts} if dies else {})


@drive("write_once")
def write_once(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the table after some writes."""
    return or_rejected(lambda: written(stage.write_once, spark, case["writes"], str(scratch / "table")))


def _undisturbed(query: StandingQuery, spark: Any, scratch: Path) -> int:
    send(query.address, query.topic, [CLOSING])
    _finish(query.start(spark))
    return 0


def _broker_dies(query: StandingQuery, spark: Any, scratch: Path) -> int:
    running = query.start(spark)
    try:
        running.processAllAvailable()
        _kill_broker()
        send(query.address, query.topic, [CLOSING])
    finally:
        _finish(running)
    return 1


def _job_dies(query: StandingQuery, spark: Any, scratch: Path) -> int:
    send(query.address, query.topic, [CLOSING])
    _kill_inside_a_batch(query, scratch)
    _finish(query.start(spark))
    return 1


def _both_die(query: StandingQuery, spark: Any, scratch: Path) -> int:
    send(query.address, query.topic, [CLOSING])
    _kill_inside_a_batch(query, scratch)
    _kill_broker()
    _finish(query.start(spark))
    return 2


RUNS = {None: _undisturbed, "broker": _broker_dies, "job": _job_dies, "both": _both_die}


def _finish(running: Any) -> None:
    try:
        running.processAllAvailable()
    finally:
        running.stop()


def _kill_broker() -> None:
    broker = own_server("kafka")
    broker.kill()
    broker.start()


def _kill_inside_a_batch(query: StandingQuery, scratch: Path) -> None:
    """Run the query in a process with its own Java; kill it after a batch is written and before it is committed."""
    folder = scratch / "process"
    folder.mkdir()
    with KillableJob(run_until_stuck, query, folder=folder) as job:
        wait_until((query.folder / "stuck").exists, PATIENCE_S, job.pause)


def run_until_stuck(query: StandingQuery) -> None:
    """Run the query in its own process until it is killed."""
    from streamlab.spark import session

    query.start(session("job"), stuck=True).awaitTermination()
