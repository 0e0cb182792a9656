"""The paper's fraud detection as one job: payments on Kafka → enriched payments on Kafka → windows on Kafka.

The job has two queries with a checkpoint each, and a topic between them. Spark writes to Kafka at least once: if a
batch runs again, its rows come again. So the windows must count each payment once, and a table keeps each batch of
windows once. (In figure 3 of the paper, one job of Flink does all of it.)
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.lab03_log.topic_playback import topic_as_stream
from streamlab.lab06_enrichment.events import Enriched, Transaction
from streamlab.sources.topics import ANY_TIME, KeyValueTime, new_topic, send
from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import described_query
from streamlab.spark.killable_job import KillableJob

PAYMENT = "id string, account string, recipient string, device string, location string, amount_cents long, at_ms long"
ENRICHED = "id string, account string, amount_cents long, at_ms long, flags array<string>"
PARTITIONS = 2
CLOSING = Transaction("closing", "closing", "", "", "", 0, 4_102_444_800_000)  # dated 2100: closes all earlier windows
Sink = Callable[[Any, int], None]


class Parts(NamedTuple):
    """The learner's parts: payments (RDD) to enriched ones, a stream of these to windows, and a sink for a table."""

    enrich: Callable[[Any], Any]
    windows: Callable[[Any], Any]
    write_once: Callable[[Any, int, str], None]


class Topics(NamedTuple):
    """The names of the three topics, and the address of their broker."""

    address: str
    payments: str
    enriched: str
    windows: str


class Found(NamedTuple):
    """The windows in the table and in the topic, and the number of enriched payments.

    `killed` is whether both queries had written a batch when the job was killed.
    """

    table: list[Any]
    topic: list[Any]
    enriched: int
    killed: bool


@dataclass(frozen=True)
class FraudJob:
    """The two queries; checkpoints and the table are in `folder`, and outlive the process that runs the job."""

    parts: Parts
    topics: Topics
    folder: Path

    def start_enriching(self, spark: Any, after: Callable[[Any], object] = lambda batch: None) -> Any:
        """Start or resume the query from payments to enriched ones; each batch is passed to `after` when it is sent."""
        payments = _rows(self._stream(spark, self.topics.payments), PAYMENT)
        return self._start(payments, "enriching", self._forward, after)

    def start_windows(self, spark: Any, after: Callable[[Any], object] = lambda batch: None) -> Any:
        """Start or resume the query from enriched payments to windows; raises NoStream if `windows` returns none."""
        from pyspark.sql import functions as F

        rows = _rows(self._stream(spark, self.topics.enriched), ENRICHED)
        timed = rows.withColumn("at", F.timestamp_millis("at_ms")).drop("at_ms")
        return self._start(described_query(self.parts.windows, timed), "windows", self._keep, after)

    def found(self, spark: Any, *, killed: bool) -> Found:
        """Return what the job has written."""
        table = spark.read.parquet(self._table).drop("batch")
        topic = _rows(self._read(spark, self.topics.windows), table.schema)
        enriched = _rows(self._read(spark, self.topics.enriched), ENRICHED).where(f"id != '{CLOSING.id}'")
        return Found(table.collect(), topic.collect(), enriched.count(), killed)

    @property
    def _table(self) -> str:
        return str(self.folder / "table")

    def _forward(self, payments: Any, number: int) -> None:
        enriched = self.parts.enrich(payments.rdd.map(lambda row: Transaction(*row))).map(_record)
        self._send(payments.sparkSession.createDataFrame(enriched, "key string, value string"), self.topics.enriched)

    def _keep(self, windows: Any, number: int) -> None:
        self.parts.write_once(windows, number, self._table)
        self._send(windows.selectExpr("to_json(struct(*)) AS value"), self.topics.windows)

    def _start(self, rows: Any, name: str, sink: Sink, after: Callable[[Any], object]) -> Any:
        def write(batch: Any, number: int) -> None:
            batch.persist()
            sink(batch, number)
            after(batch)
            batch.unpersist()

        return rows.writeStream.option("checkpointLocation", str(self.folder / name)).foreachBatch(write).start()

    def _stream(self, spark: Any, topic: str) -> Any:
        return topic_as_stream(spark, self.topics.address, topic)

    def _read(self, spark: Any, topic: str) -> Any:
        options = {"kafka.bootstrap.servers": self.topics.address, "subscribe": topic}
        return spark.read.format("kafka").options(**options).load()

    def _send(self, records: Any, topic: str) -> None:
        options = {"kafka.bootstrap.servers": self.topics.address, "topic": topic}
        records.write.format("kafka").options(**options).save()


def killed_once(parts: Parts, spark: Any, address: str, payments: Sequence[Transaction], folder: Path) -> Found:
    """Kill the job (kill -9) when both queries have written a batch and not committed it; let a second run finish.

    `payments` may repeat and come in any order. A payment of 2100 is the last one, so the windows of all others close.
    `folder` must be empty.
    Raises NoStream, JobEnded if the job fails before it is killed, or the error that the second run fails with.
    """
    topics = Topics(address, *(new_topic(address, PARTITIONS, ANY_TIME) for _ in range(3)))
    job, process = FraudJob(parts, topics, folder), folder / "process"
    process.mkdir()
    send(address, topics.payments, map(_sent, payments))
    with KillableJob(_run_until_stuck, job, process, folder=process) as running:
        running.wait_until(lambda: any((process / name).exists() for name in ("windows", "idle")))
    send(address, topics.payments, [_sent(CLOSING)])
    for start in job.start_enriching, job.start_windows:
        query = start(spark)
        try:
            query.processAllAvailable()
        finally:
            query.stop()
    return job.found(spark, killed=(process / "windows").exists())


def _run_until_stuck(job: FraudJob, process: Path) -> None:
    from streamlab.spark import session

    spark = session("job", kafka=True)
    job.start_enriching(spark, partial(_stop, process / "enriched"))
    while not (process / "enriched").exists():  # so that the windows' first batch has all payments
        threading.Event().wait(0.01)
    job.start_windows(spark, partial(_stop, process / "windows")).processAllAvailable()
    write_whole(process / "idle", "")  # no batch had windows
    threading.Event().wait()


def _stop(mark: Path, batch: Any) -> None:
    if not batch.isEmpty():
        write_whole(mark, "")
        threading.Event().wait()  # until the process is killed


def _sent(payment: Transaction) -> KeyValueTime:
    return payment.account.encode(), json.dumps(payment._asdict()).encode(), payment.at_ms


def _record(each: Enriched) -> tuple[str, str]:
    payment = each.transaction
    row = {"id": payment.id, "account": payment.account, "amount_cents": payment.amount_cents, "at_ms": payment.at_ms}
    return payment.account, json.dumps({**row, "flags": each.flags})


def _rows(records: Any, schema: Any) -> Any:
    from pyspark.sql import functions as F

    return records.select(F.from_json(F.col("value").cast("string"), schema).alias("row")).select("row.*")
