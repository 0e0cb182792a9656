"""Two Kafka topics, positions and fences, as one stream, and prepared files of records with the same columns."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from zlib import crc32

from streamlab.lab08_geofencing.append_playback import JsonRow, play_to_the_end

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from streamlab.lab08_geofencing.geo import Event

FENCES, POSITIONS = "fences", "positions"
PARTITIONS = 3  # of the topic of positions; the topic of fences has one
COLUMNS = "key binary, value binary, topic string, partition int, offset long, timestamp timestamp, timestampType int"
RECORD = ["topic", "key", "value", "time_ms", "offset"]  # the arguments of `read_record`
FAR_MS = 4_102_444_800_000  # the year 2100, so that no earlier row waits for the watermark


class Sent(NamedTuple):
    """A record as a producer sends it; `topic` is "fences" or "positions"."""

    topic: str
    key: bytes | None
    value: bytes | None
    time_ms: int

    @classmethod
    def of_text(cls, topic: str, key: str, value: str | None, time_ms: int) -> Self:
        """Return a record whose key and value are texts; a value of None deletes a fence."""
        return cls(topic, key.encode(), None if value is None else value.encode(), time_ms)


def two_topics(spark: "SparkSession", address: str, fences: str, positions: str) -> "DataFrame":
    """Return both topics as one stream, from their first record on, with the columns of Kafka's source.

    The column `topic` is "fences" or "positions", regardless of the topics' names.
    Raises ValueError if the two names are the same or one is empty.
    Example: two_topics(spark, kafka.address, "fences", "positions")
    """
    from pyspark.sql import functions as F

    if not fences or not positions or fences == positions:
        raise ValueError(f"two_topics needs the names of two topics, got {fences!r} and {positions!r}")
    options = {"kafka.bootstrap.servers": address, "subscribe": f"{fences},{positions}", "startingOffsets": "earliest"}
    stream = spark.readStream.format("kafka").options(**options).load()
    return stream.withColumn("topic", F.when(F.col("topic") == fences, FENCES).otherwise(POSITIONS))


def as_texts(records: "DataFrame") -> "DataFrame":
    """Return records of Kafka with texts as key and value, and with `time_ms`; bytes that are not UTF-8 become U+FFFD.

    Example: as_texts(records).select(*RECORD)
    """
    from pyspark.sql import functions as F

    texts = {name: F.make_valid_utf8(F.col(name).cast("string")) for name in ("key", "value")}
    return records.withColumns({**texts, "time_ms": F.unix_millis("timestamp")})


def frame_of(events: Sequence["Event"]) -> Any:
    """Return events as a pandas.DataFrame (kind, mover, fence, time); there may be none."""
    import pandas as pd  # in the workers only

    frame = pd.DataFrame(events, columns=["kind", "mover", "fence", "time"])
    return frame.assign(time=pd.to_datetime(frame["time"], unit="ms"))


def play_records(
    spark: "SparkSession",
    files: Sequence[Sequence[Sent]],
    query: Callable[[Any], Any],
    closing: Sent | None = None,
) -> list[Any]:
    """Return the rows that `query(records)` appends for files of records that arrive one after another.

    `records` has the columns of Kafka's source. Records get offsets in the order of `files`, and positions the
    partition of their key. `closing` arrives last; if its time is FAR_MS, no row waits for the watermark any more.
    Raises NoStream if the query does not return a streaming DataFrame, or the error that the query failed with.
    Example: play_records(spark, [[Sent("positions", b"m", b"...", 5)]], lambda records: push(records, 2, 60.0))
    """
    offsets = Offsets()
    rows = [list(json_rows(sent, offsets)) for sent in files]
    last = next(json_rows([closing], offsets)) if closing else None
    return play_to_the_end(spark, COLUMNS, rows, last, query)


def partition_of(sent: Sent) -> int:
    """Return the partition of a record: for a position by its key, for a fence 0."""
    return crc32(sent.key or b"") % PARTITIONS if sent.topic == POSITIONS else 0


class Offsets:
    """Numbers records as a broker does: one offset after another in each partition."""

    def __init__(self) -> None:
        self._next: Counter[tuple[str, int]] = Counter()

    def place(self, sent: Sent) -> tuple[int, int]:
        """Return partition and offset of the next record. Raises ValueError for a topic that is neither of the two."""
        if sent.topic not in (FENCES, POSITIONS):
            raise ValueError(f'expected a record of topic "{FENCES}" or "{POSITIONS}", got {sent.topic!r}')
        place = sent.topic, partition_of(sent)
        self._next[place] += 1
        return place[1], self._next[place] - 1


def json_rows(records: Iterable[Sent], offsets: Offsets) -> Iterator[JsonRow]:
    """Return the rows that Kafka's source makes of records, with binary columns as base64 texts."""
    for sent in records:
        partition, offset = offsets.place(sent)
        yield {
            "key": _base64(sent.key),
            "value": _base64(sent.value),
            "topic": sent.topic,
            "partition": partition,
            "offset": offset,
            "timestamp": datetime.fromtimestamp(sent.time_ms / 1000, UTC).isoformat(timespec="milliseconds"),
            "timestampType": 0,
        }


def _base64(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()
