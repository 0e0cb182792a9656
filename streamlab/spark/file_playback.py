"""Plays prepared files of rows to a continuous query, one by one, and collects its answer to each."""

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
    """The effect of one file.

    changed: the rows of the answer that it changed, with their new values. dropped: the number of its rows that were
    late. state_rows: the number of rows that Spark keeps as state after it.
    """

    changed: list[Any]
    dropped: int
    state_rows: int


def play_files(
    spark: "SparkSession",
    schema: str,
    files: Sequence[Sequence[dict[str, Any]]],
    query: Callable[[Any], Any],
    mode: str = "update",
) -> list[FileAnswer]:
    """Return the answers of `query(rows)` in this output mode to each of `files`, which hold rows as JSON.

    There are at most 45 files. In append mode, the rows that a file changed are those that came out after it.
    Each file is processed, and the watermark has advanced, before the next one arrives (the watermark advances in a
    batch without rows, since Spark drops by the watermark of the previous batch). Dropped rows are older than the
    watermark.
    Raises NoStream if the query does not return a streaming DataFrame, or the error that the query failed with.
    Example: play_files(spark, "n int", [[{"n": 1}]], lambda rows: rows)[0].changed -> [Row(n=1)]
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        described = described_query(query, spark.readStream.schema(schema).json(folder))
        changed: list[Any] = []
        output = described.writeStream.outputMode(mode).queryName(f"play_{time.monotonic_ns()}")
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
