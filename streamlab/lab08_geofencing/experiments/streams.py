"""Records of both topics as files that arrive one after another, with Spark's count of late rows. (Lab 8)"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.two_topics import COLUMNS, Offsets, Sent


class Played(NamedTuple):
    """The result of a query over files.

    rows, total: the appended rows, and their number. dropped: the number of rows that Spark dropped as late.
    seconds: the processing time of each file.
    """

    rows: list[Any]
    total: int
    dropped: int
    seconds: list[float]


def play(spark: Any, files: Sequence[Sequence[Sent]], query: Callable[[Any], Any], keep_rows: bool = True) -> Played:
    """Play files of records one by one to `query(records)`, in append mode.

    The next file arrives when the previous one has been processed and the watermark has moved. Records get offsets in
    the order of `files`, and positions get the partition of their key.
    keep_rows: if false, rows are only counted.
    """
    rows, counts, seconds, offsets = list[Any](), list[int](), list[float](), Offsets()

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


def _write(folder: Path, number: int, sent: Sequence[Sent], offsets: Offsets) -> None:
    """Write a file that appears at once; Spark ignores names that begin with a dot."""
    import pyarrow
    from pyarrow import parquet

    types = {
        "key": pyarrow.binary(),
        "value": pyarrow.binary(),
        "topic": pyarrow.string(),
        "partition": pyarrow.int32(),
        "offset": pyarrow.int64(),
        "timestamp": pyarrow.timestamp("us", "UTC"),
        "timestampType": pyarrow.int32(),
    }
    rows = [(each.key, each.value, each.topic, *offsets.place(each), 1000 * each.time_ms, 0) for each in sent]
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    arrays = [pyarrow.array(cells, kind) for cells, kind in zip(columns, types.values(), strict=True)]
    draft = folder / f".{number}.parquet"
    parquet.write_table(pyarrow.table(arrays, names=list(types)), draft)
    draft.rename(folder / f"{number}.parquet")


def _dropped(running: Any) -> int:
    operators = [each for progress in running.recentProgress for each in progress["stateOperators"]]
    return sum(int(each["numRowsDroppedByWatermark"]) for each in operators)
