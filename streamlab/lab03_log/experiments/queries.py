"""Spark's processing of a stream of messages in batches, with the time of each batch.

A receiver (DStreams) reads from a socket, and Structured Streaming from any other source; both give a `Processing`.
"""

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

Work = Callable[[Any], int]
ROWS_AT_ONCE, BYTES_AT_ONCE = 100, 4_000_000  # the most that Spark sends to a Python worker at once; default: 100 rows


class Batch(NamedTuple):
    """A batch: its number of messages, and the seconds from the end of its interval to its last result."""

    messages: int
    took_s: float


class Processing(Protocol):
    """A stream that is being processed."""

    def batches(self) -> list[Batch]:
        """Return the finished batches that have messages."""

    def problem(self) -> str | None:
        """Return the error that ended the stream, or None."""


def messages_in(batches: Iterable[Batch]) -> int:
    """Return the number of messages in all batches."""
    return sum(batch.messages for batch in batches)


def worker(cpu_s: float) -> Work:
    """Return the work for a message: it reads the message and uses a core for `cpu_s` seconds."""

    def work(message: Any) -> int:
        until = time.thread_time() + cpu_s
        while time.thread_time() < until:
            pass
        return len(message)

    return work


@contextlib.contextmanager
def structured_stream(messages: Any, work: Work, interval_s: float, size_bytes: int) -> Iterator[Processing]:
    """Process `messages`, a streaming DataFrame with the column `value` of about `size_bytes`."""
    from pyspark.sql import functions as f

    at_once = max(1, min(ROWS_AT_ONCE, BYTES_AT_ONCE // size_bytes))
    messages.sparkSession.conf.set("spark.sql.execution.python.udf.maxRecordsPerBatch", at_once)
    with tempfile.TemporaryDirectory(prefix="streamlab-grid-", ignore_cleanup_errors=True) as saved:
        query = (
            messages.select(f.udf(work, "int")("value"))
            .writeStream.format("noop")
            .option("checkpointLocation", saved)
            .trigger(processingTime=f"{round(interval_s * 1000)} milliseconds")
            .start()
        )
        try:
            yield _Query(query)
        finally:
            query.stop()


class _Query:
    def __init__(self, query: Any) -> None:
        self._query = query

    def batches(self) -> list[Batch]:
        each = [(int(one["numInputRows"]), one["durationMs"]) for one in self._query.recentProgress]
        return [Batch(messages, took.get("triggerExecution", 0) / 1000) for messages, took in each if messages]

    def problem(self) -> str | None:
        failed = self._query.exception()
        return None if failed is None else str(failed)


@contextlib.contextmanager
def socket_stream(spark: Any, host: str, port: int, work: Work, interval_s: float) -> Iterator[Processing]:
    """Process the lines of a socket."""
    from streamlab.spark import streaming

    counter = _BatchCounter()
    with streaming(spark, interval_s) as context:
        stream: Any = context
        stream.socketTextStream(host, port).map(work).foreachRDD(counter.record)
        stream.start()
        yield counter


class _BatchCounter:
    """Counts the messages of each batch, and records the time at which it is done."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._problem: str | None = None

    def record(self, interval_end: Any, lengths: Any) -> None:
        """Count a batch; Spark calls this, and `interval_end` is a datetime in this machine's time zone."""
        try:
            messages = lengths.count()
        except Exception as failed:
            self._problem = str(failed)
            return
        if messages:
            self._batches.append(Batch(messages, time.time() - interval_end.timestamp()))

    def batches(self) -> list[Batch]:
        return list(self._batches)

    def problem(self) -> str | None:
        return self._problem
