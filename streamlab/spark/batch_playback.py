"""Plays prepared batches to a DStream, one an interval, and collects its answer to each.

The run does not depend on timing: it ends when the last batch is done.
"""

import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from streamlab.granted_time import Deadline, own_deadline
from streamlab.spark import fast_start
from streamlab.spark.batches import save_state_often
from streamlab.spark.sessions import streaming

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITIONS = 2
Answers = list[tuple[int, list[Any]]]


class NoStream(TypeError):
    """A query returned something other than a stream; `returned` holds it."""

    def __init__(self, returned: Any) -> None:
        super().__init__(f"expected a DStream, got {type(returned).__name__}; return what the last operation gives")
        self.returned = returned


def described_query(query: Callable[[Any], Any], events: "DataFrame") -> "DataFrame":
    """Return the streaming DataFrame that `query` returns for `events`; raises NoStream for any other value."""
    from pyspark.sql import DataFrame

    described = query(events)
    if not isinstance(described, DataFrame) or not described.isStreaming:
        raise NoStream(described)
    return described


def play_batches(
    spark: "SparkSession",
    batches: Sequence[Sequence[Any]],
    query: Callable[[Any], Any],
    batch_s: float = 0.1,
    timeout_s: float = 60.0,
) -> Answers:
    """Return pairs of a batch's number, from 1, and the rows of the DStream `query(source)` for that batch.

    A DStream with windows answers once a slide. State is allowed: the run has a temporary checkpoint folder.
    `timeout_s` holds for the fast start, and is longer without it. Raises NoStream, TimeoutError, or the error that a
    batch failed with.
    Example: play_batches(spark, [["a b"], []], lambda lines: lines.flatMap(str.split)) -> [(1, ["a", "b"]), (2, [])]
    """
    from pyspark.streaming import DStream

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, streaming(spark, batch_s) as context:
        context.checkpoint(folder)
        source = context.queueStream([spark.sparkContext.parallelize(batch, PARTITIONS) for batch in batches or [[]]])
        described = query(source)
        if not isinstance(described, DStream):
            raise NoStream(described)
        return _Played(described, source).run(context, len(batches), own_deadline(fast_start.patience(timeout_s)))


class _Played:
    """Collects the answers of a DStream and their batch times."""

    def __init__(self, described: Any, source: Any) -> None:
        self._answers: list[tuple[datetime, list[Any]]] = []
        self._done: datetime | None = None
        self._problem: BaseException | None = None
        described.foreachRDD(lambda at, batch: self._keep(at, batch))
        source.foreachRDD(lambda at, _: self._mark_done(at))  # runs after the answer to the same batch

    def run(self, context: Any, batches: int, deadline: Deadline) -> Answers:
        """Start, wait until `batches` batches are done, and number the answers."""
        graph = context._jssc.ssc().graph()
        save_state_often(context)
        context.start()
        zero_ms, batch_ms = graph.zeroTime().milliseconds(), graph.batchDuration().milliseconds()

        def number(at: datetime) -> int:
            return round((at.timestamp() * 1000 - zero_ms) / batch_ms)

        while self._problem is None and (self._done is None or number(self._done) < batches):
            if deadline.is_over:
                done = 0 if self._done is None else number(self._done)
                raise TimeoutError(f"expected {batches} batches to be done by now; {done} are")
            context.awaitTerminationOrTimeout(0.01)
        if self._problem is not None:
            raise self._problem
        return [(number(at), rows) for at, rows in self._answers if number(at) <= batches]

    def _keep(self, at: datetime, batch: Any) -> None:
        try:
            self._answers.append((at, batch.collect()))
        except Exception as problem:
            self._problem = problem

    def _mark_done(self, at: datetime) -> None:
        self._done = at
