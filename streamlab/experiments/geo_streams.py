"""Records of both topics as files that arrive one after another, with what Spark says about late rows. (Lab 8)"""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

COLUMNS = "key binary, value binary, topic string, partition int, offset long, timestamp timestamp, timestampType int"


class Sent(NamedTuple):
    """A record as a producer sends it; `topic` is "fences" or "positions"; a value of None deletes a fence."""

    topic: str
    key: str
    value: str | None
    time_ms: int


class Played(NamedTuple):
    """What a query made of its files.

    rows, total: the appended rows, and their number. dropped: rows that Spark dropped as late. seconds: for each file.
    """

    rows: list[Any]
    total: int
    dropped: int
    seconds: list[float]


def play(spark: Any, files: Sequence[Sequence[Sent]], query: Callable[[Any], Any], keep_rows: bool = True) -> Played:
    """Let files of records arrive one by one at `query(records)`, in append mode.

    A file is processed, and the watermark has moved, when the next one arrives. Offsets follow the order of `files`.
    keep_rows: without it the rows are only counted.
    """
    rows, counts, seconds, offsets = list[Any](), list[int](), list[float](), Counter[str]()

    def take(batch: Any, _: int) -> None:
        found = batch.collect() if keep_rows else []
        counts.append(len(found) if keep_rows else batch.count())
        rows.extend(found)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        arriving = Path(name, "arriving")
        arriving.mkdir()
        described = query(spark.readStream.schema(COLUMNS).parquet(str(arriving)))
        output = described.writeStream.outputMode("append").foreachBatch(take)
        running = output.option("checkpointLocation", str(Path(name, "checkpoint"))).start()
        try:
            for number, sent in enumerate(files):
                _write(arriving, number, sent, offsets)
                began_s = time.perf_counter()
                running.processAllAvailable()
                seconds.append(time.perf_counter() - began_s)
            return Played(rows, sum(counts), _dropped(running), seconds)
        finally:
            running.stop()


def _write(folder: Path, number: int, sent: Sequence[Sent], offsets: Counter[str]) -> None:
    """Write a file that appears whole; Spark ignores names that begin with a dot."""
    import pyarrow
    from pyarrow import parquet

    columns: dict[str, list[Any]] = {name: [] for name in ("key", "value", "topic", "offset", "timestamp")}
    for each in sent:
        value = None if each.value is None else each.value.encode()
        row = each.key.encode(), value, each.topic, offsets[each.topic], 1000 * each.time_ms
        offsets[each.topic] += 1
        for column, cell in zip(columns.values(), row, strict=True):
            column.append(cell)
    types = [pyarrow.binary(), pyarrow.binary(), pyarrow.string(), pyarrow.int64(), pyarrow.timestamp("us", "UTC")]
    named = zip(columns.items(), types, strict=True)
    arrays = {name: pyarrow.array(cells, kind) for (name, cells), kind in named}
    zeros = pyarrow.array([0] * len(sent), pyarrow.int32())
    draft = folder / f".{number}.parquet"
    parquet.write_table(pyarrow.table(arrays | {"partition": zeros, "timestampType": zeros}), draft)
    draft.rename(folder / f"{number}.parquet")


def _dropped(running: Any) -> int:
    operators = [each for progress in running.recentProgress for each in progress["stateOperators"]]
    return sum(int(each["numRowsDroppedByWatermark"]) for each in operators)
