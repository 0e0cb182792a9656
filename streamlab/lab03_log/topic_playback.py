"""Plays prepared records through a Kafka topic to a continuous query, and collects its final answer.

Also runs a job on a topic that dies inside a batch and is restarted.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from streamlab.quiet_log import quiet_log
from streamlab.sources.topics import ANY_TIME, KeyValueTime, new_topic, send
from streamlab.spark.batch_playback import described_query

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CLOSING = (b"closing", b"", 4_102_444_800_000)  # dated 2100, so that it closes all earlier windows


def topic_as_stream(spark: "SparkSession", address: str, topic: str) -> "DataFrame":
    """Return the records of a topic from its beginning on, with the columns of Kafka's source."""
    options = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}
    return spark.readStream.format("kafka").options(**options).load()


def play_topic(
    spark: "SparkSession",
    address: str,
    records: Sequence[KeyValueTime],
    query: Callable[[Any], Any],
    partitions: int = 2,
) -> list[Any]:
    """Return the rows of `query(events)` in append mode, after a record from the year 2100 has closed all windows.

    Raises NoStream, or the error that the query failed with.
    Example: play_topic(spark, kafka.address, [(b"k", b"v", 0)], counts) -> [Row(start=…, key="k", count=1)]
    """
    topic, rows = new_topic(address, partitions, ANY_TIME), list[Any]()
    send(address, topic, records)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        described = described_query(query, topic_as_stream(spark, address, topic))
        output = described.writeStream.outputMode("append").queryName(f"play_{time.monotonic_ns()}")
        output = output.option("checkpointLocation", folder)
        running = output.foreachBatch(lambda batch, _: rows.extend(batch.collect())).start()
        try:
            running.processAllAvailable()
            send(address, topic, [CLOSING])
            running.processAllAvailable()
        finally:
            running.stop()
    return rows


class Died(RuntimeError):
    """Ends a job that is meant to die."""


def run_job(counts: "DataFrame", sink: Callable[[Any, int], None], checkpoint: str, dies: bool) -> None:
    """Run a query until it has processed all available data; each batch goes to `sink(rows, number)`.

    A job that `dies` does so in its first batch with rows, after the sink has written them and before Spark commits
    the batch. A new call with the same checkpoint continues from there.
    """

    def write(rows: "DataFrame", number: int) -> None:
        sink(rows, number)
        if dies and not rows.isEmpty():
            raise Died("the job dies")

    with quiet_log("py4j.clientserver"):  # it would print a traceback on stderr
        running = counts.writeStream.option("checkpointLocation", checkpoint).foreachBatch(write).start()
        try:
            running.processAllAvailable()
        except Exception:
            if not dies:
                raise
        finally:
            running.stop()
