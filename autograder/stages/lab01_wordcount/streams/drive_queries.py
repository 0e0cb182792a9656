"""Run standing queries on data that arrive in parts: batches of a queue, lines of a socket, files in a folder.

Each function waits until it observes the result, at most `PATIENCE_S`.
"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from autograder.inside.patience import at_the_latest_s, wait_until
from autograder.inside.rows import Rows, plain, type_name
from streamlab.spark import fast_start

BATCH_S = 0.15
PATIENCE_S = fast_start.patience(20.0)
LINES_PER_S = 20_000.0


def queued_batches(word_counts: Callable[[Any], Any], spark: Any, batches: list[list[str]]) -> Rows:
    """Return the counts of each of `batches`, one of which arrives in each interval."""
    from streamlab.spark import streaming

    with streaming(spark, BATCH_S) as context:
        queue = [spark.sparkContext.parallelize(batch, 2) for batch in batches]
        answers = Answers(word_counts(context.queueStream(queue)))
        answers.play(context, until=lambda: len(answers.batches) >= len(batches))
        return answers.rows({"batches": answers.batches[: len(batches)]})


def over_a_socket(word_counts: Callable[[Any], Any], spark: Any, parts: list[list[str]]) -> Rows:
    """Return all counts of all batches; the server sends each part of the lines after the one before was counted."""
    from streamlab.sources.line_server import LineServer
    from streamlab.spark import streaming

    counted = [threading.Event() for _ in parts]
    with (
        LineServer(_part_by_part(parts, counted), rate_per_s=LINES_PER_S) as server,
        streaming(spark, BATCH_S) as context,
    ):
        lines = context.socketTextStream(server.host, server.port)
        answers = Answers(word_counts(lines))
        lines.foreachRDD(_sending_next(parts, counted))  # runs after the learner's counts of the same batch
        try:
            answers.play(context, until=counted[-1].is_set)
        finally:
            for each in counted:
                each.set()
        return answers.rows({"counts": [pair for batch in answers.batches for pair in batch]})


def _part_by_part(parts: list[list[str]], counted: list[threading.Event]) -> Iterator[str]:
    for lines, event in zip(parts, counted, strict=True):
        yield from lines
        event.wait(at_the_latest_s(PATIENCE_S))


def _sending_next(parts: list[list[str]], counted: list[threading.Event]) -> Callable[[Any], None]:
    """Return a callback that counts the lines of finished batches.

    The server continues after the first empty batch that follows a part.
    """
    arrived = 0

    def after(batch: Any) -> None:
        nonlocal arrived
        line_count = batch.count()
        arrived += line_count
        if line_count:
            return
        for number, event in enumerate(counted, 1):
            if arrived >= sum(len(lines) for lines in parts[:number]):
                event.set()

    return after


class Answers:
    """The counts of each batch of a DStream that the learner made, in the order of the batches."""

    def __init__(self, counts: Any) -> None:
        from pyspark.streaming import DStream

        self.batches: list[Any] = []
        self._problem: BaseException | None = None
        self._keeps_state = False
        self._kind = "" if isinstance(counts, DStream) else type_name(counts)
        if not self._kind:
            counts.foreachRDD(lambda batch: self._keep(batch))

    def _keep(self, batch: Any) -> None:
        try:
            self.batches.append(plain(batch.collect()))
        except Exception as problem:
            self._problem = problem

    def play(self, context: Any, until: Callable[[], bool]) -> None:
        """Run the context until the batches of interest were counted.

        Raises the error of the learner's code, or TimeoutError if batches are missing, which says nothing about counts.
        """
        if self._kind or not self._started(context):
            return
        if not wait_until(
            lambda: until() or self._problem, PATIENCE_S, lambda: context.awaitTerminationOrTimeout(0.01)
        ):
            raise TimeoutError(f"not all batches were counted within {PATIENCE_S:g} s")
        if self._problem is not None:
            raise self._problem

    def _started(self, context: Any) -> bool:
        """Start the context; return False if Spark rejects a DStream that keeps state without a checkpoint."""
        try:
            context.start()
        except Exception as rejection:
            self._keeps_state = "checkpoint directory has not been set" in str(rejection)
            if not self._keeps_state:
                raise
        return not self._keeps_state

    def rows(self, counted: Rows) -> Rows:
        """Return the rows, or what the learner returned instead of a DStream that counts each batch alone."""
        if self._keeps_state:
            return {"keeps_state": True}
        return {"returned": self._kind} if self._kind else counted


def tables_after_files(
    standing_counts: Callable[[Any], Any], spark: Any, files: list[list[str]], scratch: Path
) -> Rows:
    """Return the columns of the answer, and its rows after each file."""
    from pyspark.sql import DataFrame

    incoming = scratch / "incoming"
    incoming.mkdir()
    counts = standing_counts(spark.readStream.text(str(incoming)))
    if not isinstance(counts, DataFrame) or not counts.isStreaming:
        return {"returned": type_name(counts)}
    name = f"standing_counts_{time.monotonic_ns()}"
    query = counts.writeStream.outputMode("complete").format("memory").queryName(name).start()
    try:
        tables = [_after(lines, number, query, spark, incoming) for number, lines in enumerate(files)]
    finally:
        query.stop()
        spark.catalog.dropTempView(name)
    return {"columns": counts.columns, "tables": tables}


def _after(lines: list[str], number: int, query: Any, spark: Any, incoming: Path) -> Any:
    unfinished = incoming.parent / f"{number}.txt"
    unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    unfinished.rename(incoming / unfinished.name)  # a file arrives whole
    query.processAllAvailable()
    return plain(spark.table(query.name).collect())
