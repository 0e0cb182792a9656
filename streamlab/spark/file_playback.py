"""Files of rows that are written down, let arrive one by one, and what a standing query answers to each.

Keeps out: batches of a DStream (streamlab.spark.batch_playback).
"""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from streamlab.sources.whole_files import write_whole
from streamlab.spark.batch_playback import described_query

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class FileAnswer(NamedTuple):
    """What one file did.

    changed: the rows of the answer that it changed, as they are now. dropped: how many of its rows came too late.
    state_rows: how many rows Spark keeps as state after it.
    """

    changed: list[Any]
    dropped: int
    state_rows: int


def play_files(
    spark: "SparkSession", schema: str, files: Sequence[Sequence[dict[str, Any]]], query: Callable[[Any], Any]
) -> list[FileAnswer]:
    """The answers of `query(rows)` in update mode to each of `files`, which hold rows as JSON; at most 45 files.

    A file is done, and the watermark has moved (in a batch without rows, for Spark drops by the watermark of the batch
    before), when the next one arrives. What Spark counts as dropped came from behind the watermark.
    Raises NoStream if the query does not give a streaming DataFrame, or what the query failed with.
    Example: play_files(spark, "n int", [[{"n": 1}]], lambda rows: rows)[0].changed -> [Row(n=1)]
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        described = described_query(query, spark.readStream.schema(schema).json(folder))
        changed: list[Any] = []
        output = described.writeStream.outputMode("update").queryName(f"play_{time.monotonic_ns()}")
        running = output.foreachBatch(lambda rows, _: changed.extend(rows.collect())).start()
        try:
            return [_answer(Path(folder, f"{at}.json"), rows, running, changed) for at, rows in enumerate(files)]
        finally:
            running.stop()


def _answer(path: Path, rows: Sequence[dict[str, Any]], running: Any, changed: list[Any]) -> FileAnswer:
    changed.clear()
    before = _dropped(running)
    write_whole(path, "".join(f"{json.dumps(row)}\n" for row in rows))
    running.processAllAvailable()
    return FileAnswer(list(changed), _dropped(running) - before, _state_rows(running))


def _dropped(running: Any) -> int:
    operators = [each for progress in running.recentProgress for each in progress["stateOperators"]]
    return sum(int(each["numRowsDroppedByWatermark"]) for each in operators)


def _state_rows(running: Any) -> int:
    newest = running.lastProgress
    return sum(int(each["numRowsTotal"]) for each in newest["stateOperators"]) if newest else 0
