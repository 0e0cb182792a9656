"""Spark's own metrics of each batch of a running StreamingContext, one row per batch.

Spark notifies a listener about every batch that ends; nothing is sampled and nothing is timed from outside. The figures
are those of the Streaming tab of Spark's web page.
"""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.streaming import StreamingContext


@dataclass(frozen=True)
class Batch:
    """One completed batch. The batch of `time_ms` has the records that arrived in the interval that ends then."""

    time_ms: int  # since 1970
    records: int  # the receivers' count: lines for a socket, 0 for a queueStream, which has no receiver
    scheduling_delay_ms: int  # time that it waited for earlier batches
    processing_ms: int
    failure: str | None = None  # the error that ended one of its outputs, in one line

    @property
    def total_delay_ms(self) -> int:
        """The time from the end of the interval to the result."""
        return self.scheduling_delay_ms + self.processing_ms


class BatchFailed(RuntimeError):
    """A batch ended with an error; the message is the error's last line."""


class BatchMetrics:
    """Collects the batches of `ssc` from now on; create it before `ssc.start()`.

    Example:
        with streaming(spark, 1.0) as ssc:
            metrics = BatchMetrics(ssc)
            ...
            ssc.start()
            metrics.wait_records(5000, timeout_s=30)
        print(table(metrics.rows(), BatchMetrics.HEADERS))
    """

    HEADERS = ("batch", "lines", "waited (ms)", "processing (ms)", "total delay (ms)")

    def __init__(self, ssc: "StreamingContext") -> None:
        self._batches: list[Batch] = []
        self._changed = threading.Condition()
        ssc.addStreamingListener(_listener(self._add))

    @property
    def batches(self) -> list[Batch]:
        """All completed batches, in order."""
        with self._changed:
            return list(self._batches)

    def rows(self) -> list[tuple[int, int, int, int, int]]:
        """Return the batches as rows for a table, numbered from 1; see `HEADERS`."""
        return [
            (number, batch.records, batch.scheduling_delay_ms, batch.processing_ms, batch.total_delay_ms)
            for number, batch in enumerate(self.batches, start=1)
        ]

    def wait_batches(self, n: int, timeout_s: float) -> list[Batch]:
        """Wait until `n` batches have ended and return all completed ones.

        Raises BatchFailed as soon as a batch has failed, TimeoutError after `timeout_s`.
        """
        return self._wait(lambda: len(self._batches) >= n, timeout_s, f"{n} batches")

    def wait_records(self, n: int, timeout_s: float) -> list[Batch]:
        """Wait until the completed batches have `n` records; otherwise like `wait_batches`."""
        return self._wait(lambda: _records(self._batches) >= n, timeout_s, f"{n} records")

    def wait_change(self, seen: int, timeout_s: float) -> list[Batch]:
        """Wait until more than `seen` batches have ended, but not longer than `timeout_s`; return all of them."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._batches) > seen, timeout_s)
            return list(self._batches)

    def _wait(self, reached: Callable[[], bool], timeout_s: float, what: str) -> list[Batch]:
        with self._changed:
            self._changed.wait_for(lambda: reached() or self._failure() is not None, timeout_s)
            batches, is_reached, failure = list(self._batches), reached(), self._failure()
        if failure is not None:
            raise BatchFailed(failure)
        if not is_reached:
            so_far = f"{len(batches)} batches with {_records(batches)} records have ended"
            raise TimeoutError(f"expected {what} to be processed within {timeout_s:g} s, but {so_far}")
        return batches

    def _failure(self) -> str | None:
        return next((batch.failure for batch in self._batches if batch.failure is not None), None)

    def _add(self, batch: Batch) -> None:
        with self._changed:
            self._batches.append(batch)
            self._changed.notify_all()


def processed_per_s(batches: Sequence[Batch], batch_s: float) -> float:
    """Return records per second from the start of the first batch's interval to the end of the last batch's processing.

    Example: processed_per_s([Batch(1000, 500, 0, 0)], batch_s=1.0) -> 500.0
    """
    if not batches:
        return 0.0
    first, last = batches[0], batches[-1]
    took_ms = last.time_ms + last.total_delay_ms - first.time_ms + batch_s * 1000
    return _records(batches) / took_ms * 1000


def batch_duration_s(ssc: "StreamingContext") -> float:
    """Return the batch interval of `ssc` in seconds."""
    java: Any = ssc._jssc
    return float(java.ssc().graph().batchDuration().milliseconds()) / 1000


def last_line_of_error(failure: str) -> str:
    """Return the error from Spark's report: the last line of the innermost Python traceback.

    Example: last_line_of_error("Job aborted: Traceback …\\nValueError: no\\n\\tat org.apache…") -> "ValueError: no"
    """
    errors = re.findall(r"^(?!Py4J)\w[\w.]*(?:Error|Exception|Exit|Interrupt)(?::.*)?$", failure, re.MULTILINE)
    from_python = [each for each in errors if not each.startswith(("org.apache.", "py4j.", "java."))]
    return (from_python or failure.strip().splitlines() or ["no reason given"])[-1 if from_python else 0]


def _records(batches: Sequence[Batch]) -> int:
    return sum(batch.records for batch in batches)


def _listener(add: Callable[[Batch], None]) -> Any:
    """Return a listener that Spark's Java calls; it handles the end of a batch only."""
    from pyspark.streaming.listener import StreamingListener

    class EndOfBatch(StreamingListener):
        def onBatchCompleted(self, batchCompleted: Any) -> None:
            add(_batch(batchCompleted.batchInfo()))

    return EndOfBatch()


def _batch(info: Any) -> Batch:
    outputs = info.outputOperationInfos()
    failures = [outputs[each].failureReason() for each in outputs]
    return Batch(
        time_ms=info.batchTime().milliseconds(),
        records=info.numRecords(),
        scheduling_delay_ms=info.schedulingDelay(),
        processing_ms=info.processingDelay(),
        failure=next((last_line_of_error(each) for each in failures if each is not None), None),
    )
