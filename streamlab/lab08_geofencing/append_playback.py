"""Plays files of rows to a query in append mode; a closing row moves the watermark past everything before it."""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import described_query

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JsonRow = dict[str, Any]


def play_to_the_end(
    spark: "SparkSession",
    schema: str,
    files: Sequence[Sequence[JsonRow]],
    closing: JsonRow | None,
    query: Callable[[Any], Any],
) -> list[Any]:
    """Return the rows that `query(rows)` appends for `files`, one after another, and for a last file of one row.

    `files` hold rows as JSON; binary columns are base64 texts. Each file is processed, and the watermark has advanced,
    before the next one arrives. `closing` has a date so late that it closes everything before it; None plays no
    closing row.
    Raises NoStream if the query does not return a streaming DataFrame, or the error that the query failed with.
    Example: play_to_the_end(spark, "n int", [[{"n": 1}]], {"n": 9}, lambda rows: rows) -> [Row(n=1), Row(n=9)]
    """
    appended: list[Any] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arriving, checkpoint = Path(folder, "arriving"), Path(folder, "checkpoint")
        arriving.mkdir()
        described = described_query(query, spark.readStream.schema(schema).json(str(arriving)))
        output = described.writeStream.outputMode("append").queryName(f"play_{time.monotonic_ns()}")
        output = output.option("checkpointLocation", str(checkpoint))
        running = output.foreachBatch(lambda rows, _: appended.extend(rows.collect())).start()
        try:
            for number, rows in enumerate([*files, *([[closing]] if closing is not None else [])]):
                write_whole(arriving / f"{number}.json", "".join(f"{json.dumps(row)}\n" for row in rows))
                running.processAllAvailable()
        finally:
            running.stop()
    return appended
