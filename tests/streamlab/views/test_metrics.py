"""Batch metrics: sums over plain rows, and Spark's own figures of real batches."""

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.sources.line_server import LineServer
from streamlab.spark import streaming
from streamlab.views.metrics import (
    Batch,
    BatchFailed,
    BatchMetrics,
    batch_duration_s,
    last_line_of_error,
    processed_per_s,
)

DEADLINE_S = 60.0


def metrics_of(*batches: Batch) -> BatchMetrics:
    without_spark: Any = SimpleNamespace(addStreamingListener=lambda listener: None)
    metrics = BatchMetrics(without_spark)
    for batch in batches:
        metrics._add(batch)
    return metrics


@pytest.mark.parametrize(
    ("batches", "rate_per_s"),
    [
        ([], 0.0),
        ([Batch(1000, 500, 0, 0)], 500.0),  # the interval itself takes a second
        ([Batch(1000, 500, 0, 1000)], 250.0),
        ([Batch(1000, 500, 0, 900), Batch(2000, 500, 0, 900), Batch(3000, 500, 0, 0)], 500.0),
        ([Batch(1000, 500, 0, 3000), Batch(2000, 500, 2000, 3000)], 1000 / 7),
    ],
    ids=["none", "instant", "slow", "keeping up", "falling behind"],
)
def test_the_processed_rate_counts_from_first_line_to_last_result(batches: list[Batch], rate_per_s: float) -> None:
    assert processed_per_s(batches, batch_s=1.0) == pytest.approx(rate_per_s)


def test_the_total_delay_is_the_scheduling_delay_plus_the_processing_time() -> None:
    assert metrics_of(Batch(0, 7, 20, 30)).rows() == [(1, 7, 20, 30, 50)]


@pytest.mark.parametrize(
    ("failure", "line"),
    [
        (
            "org.apache.spark.SparkException: Job aborted\nTraceback (most recent call last):\n  File x\n"
            "py4j.protocol.Py4JJavaError: An error occurred\nTraceback (most recent call last):\n"
            "ValueError: no number\n\n\tat org.apache.spark.X(X.scala:1)\n",
            "ValueError: no number",
        ),
        ("Traceback (most recent call last):\nAssertionError\n\tat org.apache.spark.X", "AssertionError"),
        ("java.lang.OutOfMemoryError: Java heap space\n\tat java.X", "java.lang.OutOfMemoryError: Java heap space"),
        ("", "no reason given"),
    ],
)
def test_the_line_with_the_cause_of_a_long_error_is_kept(failure: str, line: str) -> None:
    assert last_line_of_error(failure) == line


def test_a_timeout_while_waiting_reports_the_progress() -> None:
    with pytest.raises(TimeoutError, match=r"expected 2 batches.*within 0 s, but 1 batches with 7 records"):
        metrics_of(Batch(0, 7, 0, 0)).wait_batches(2, timeout_s=0)


def test_the_error_of_a_failed_batch_is_raised_in_the_waiting_caller() -> None:
    with pytest.raises(BatchFailed, match="ValueError: no"):
        metrics_of(Batch(0, 7, 0, 0, failure="ValueError: no")).wait_batches(2, timeout_s=60)


def test_every_line_of_a_socket_is_in_exactly_one_batch(spark: Any, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [str(i) for i in range(3000)]
    received: list[str] = []
    with LineServer(lines, rate_per_s=3000) as server, streaming(spark, 0.4) as ssc:
        metrics = BatchMetrics(ssc)
        ssc.socketTextStream(server.host, server.port).foreachRDD(lambda rdd: received.extend(rdd.collect()))
        ssc.start()
        batches = metrics.wait_records(3000, DEADLINE_S)

        assert batch_duration_s(ssc) == 0.4
        assert sum(batch.records for batch in batches) == 3000
        assert all(batch.failure is None and batch.scheduling_delay_ms >= 0 for batch in batches)
        assert {second.time_ms - first.time_ms for first, second in itertools.pairwise(batches)} <= {400}
    assert sorted(received, key=int) == lines
    assert capfd.readouterr().err == ""


def test_waiting_ends_with_the_error_message_of_a_failed_batch(spark: Any) -> None:
    with LineServer(["not a number"], loop=True, rate_per_s=100) as server, streaming(spark, 0.4) as ssc:
        metrics = BatchMetrics(ssc)
        numbers: Any = ssc.socketTextStream(server.host, server.port).map(int)
        numbers.foreachRDD(lambda rdd: rdd.collect())
        ssc.start()

        with pytest.raises(BatchFailed, match=r"^ValueError: invalid literal for int\(\)"):
            metrics.wait_batches(100, DEADLINE_S)
