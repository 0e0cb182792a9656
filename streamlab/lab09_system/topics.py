"""The three topics of the system as one stream of records, and prepared files of records that arrive one by one."""

import base64
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from streamlab.lab09_system.words import Record
from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import described_query

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TOPICS = ("fences", "payments", "positions")
RECEIVED = "received"  # the header with the connector's time in ms
COLUMNS = "topic string, partition int, offset long, key binary, value binary, time_ms long, received_ms long"


class Played(NamedTuple):
    """The rows that a query appended, and how many rows Spark dropped as older than the watermark."""

    rows: list[Any]
    dropped: int


def records_from(spark: "SparkSession", address: str, limit: int | None = None) -> "DataFrame":
    """Return all topics at a broker, from their first record on, with the columns of `Record`.

    A record without the header "received" has the `received_ms` 0. At most `limit` records are in a micro-batch.
    """
    from pyspark.sql import functions as F

    options = {"kafka.bootstrap.servers": address, "subscribe": ",".join(TOPICS), "startingOffsets": "earliest"}
    options |= {"includeHeaders": "true"} | ({"maxOffsetsPerTrigger": str(limit)} if limit else {})
    stream = spark.readStream.format("kafka").options(**options).load()
    received = F.filter("headers", lambda header: header.key == RECEIVED)[0]["value"].cast("string").cast("long")
    own = {"time_ms": F.unix_millis("timestamp"), "received_ms": F.coalesce(received, F.lit(0))}
    return stream.withColumns(own).select(*Record._fields)


def play_records(
    spark: "SparkSession", files: Iterable[Sequence[Record]], query: Callable[[Any], Any], closing: Record | None = None
) -> Played:
    """Return what `query(records)` appends for files of records that arrive one after another, and then `closing`.

    `records` has the columns of `Record`. Each file is processed, and the watermark has advanced, before the next one
    arrives. Raises NoStream if the query does not return a streaming DataFrame, or the error that the query fails with.
    Example: play_records(spark, files, lambda records: alerts(records, 2, 1.0, open_store), closing).rows
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        described = described_query(query, spark.readStream.schema(COLUMNS).json(folder))

        def arrivals() -> Iterator[None]:
            for number, records in enumerate([*files, *([[closing]] if closing else [])]):
                write_whole(Path(folder, f"{number}.json"), "".join(map(json_line, records)))
                yield

        return run_to_end(described, arrivals())


def run_to_end(described: "DataFrame", arrivals: Iterable[object] = (None,)) -> Played:
    """Run a query, and process all that is there after each of `arrivals`. Raises the error that the query fails with.

    Example: run_to_end(alerts(records_from(spark, address), 2, 1.0, open_store)).rows
    """
    appended: list[Any] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as checkpoint:
        output = described.writeStream.outputMode("append").option("checkpointLocation", checkpoint)
        running = output.foreachBatch(lambda rows, _: appended.extend(rows.collect())).start()
        try:
            for _ in arrivals:
                running.processAllAvailable()
            return Played(appended, _dropped(running))
        finally:
            running.stop()


def send_record(producer: Any, record: Record) -> Any:
    """Send a record to its partition, with `received_ms` as a header; return the future of Kafka's producer."""
    return producer.send(
        record.topic,
        record.value,
        key=record.key,
        partition=record.partition,
        timestamp_ms=record.time_ms,
        headers=[(RECEIVED, str(record.received_ms).encode())],
    )


def json_line(record: Record) -> str:
    """Return a record as a line of JSON; its bytes are base64 texts, as Spark's JSON reader expects them."""
    texts = {name: _base64(getattr(record, name)) for name in ("key", "value")}
    return json.dumps(record._asdict() | texts) + "\n"


def _base64(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _dropped(running: Any) -> int:
    operators = [each for progress in running.recentProgress for each in progress["stateOperators"]]
    return sum(int(each["numRowsDroppedByWatermark"]) for each in operators)
