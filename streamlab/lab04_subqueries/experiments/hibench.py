"""HiBench's workloads in several engines: a comparison of answers and rates, and HiBench's own report.

HiBench computes records, throughput and latency from pairs of times, and does not write results (KafkaCollector and
FetchJob, https://github.com/Intel-bigdata/HiBench).
"""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from streamlab.lab04_subqueries.engine.central_run import centralized
from streamlab.lab04_subqueries.engine.instance import Instance
from streamlab.lab04_subqueries.engine.on_spark import run_on_spark
from streamlab.lab04_subqueries.engine.query import Query, Subquery
from streamlab.lab04_subqueries.engine.rows import Arrival, Row
from streamlab.spark.file_playback import play_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WORKLOADS = ("identity", "repartition", "wordcount", "fixwindow")
SCHEMA = "time timestamp, ip string, word string"
BATCHES = 2


class Compared(NamedTuple):
    """One workload: whether all engines gave the same answer, and the rows per second of each."""

    workload: str
    is_equal: bool
    own_per_s: float
    own_on_spark_per_s: float
    structured_per_s: float


class Report(NamedTuple):
    """HiBench's report of a run."""

    records: int
    throughput_per_s: int
    mean_latency_ms: float


def as_spark_row(visit: Row) -> Row:
    """Return a visit as a row of `SCHEMA` in a JSON file.

    Example: as_spark_row({"t": 1500, "ip": "a", "word": "to", …})["time"] -> "1970-01-01T00:00:01.500+00:00"
    """
    at = datetime.fromtimestamp(visit["t"] / 1000, UTC)
    return {"time": at.isoformat(timespec="milliseconds"), "ip": visit["ip"], "word": visit["word"]}


def compare_engines(spark: "SparkSession", parts: Any, workload: str, rows: Sequence[Row]) -> Compared:
    """Run a workload in one process, as partitions of Spark, and in Structured Streaming.

    parts has hibench, hibench_on_spark, and the attributes that `OnSpark` needs.
    """
    query = parts.hibench(workload, lambda: 0)
    degrees = [2] * len(parts.split(query))
    runs: list[Callable[[], Iterable[Any]]] = [
        lambda: centralized(query, {"visits": rows})["results"],
        lambda: run_on_spark(spark.sparkContext, parts, query, degrees, {"visits": rows}, BATCHES)["results"],
        lambda: in_structured_streaming(spark, parts.hibench_on_spark, workload, rows),
    ]
    answers, per_s = [], []
    for run in runs:
        began_s = time.perf_counter()
        results = run()
        per_s.append(len(rows) / (time.perf_counter() - began_s))
        answers.append(answer(workload, results))
    return Compared(workload, answers[0] == answers[1] == answers[2], *per_s)


def in_structured_streaming(
    spark: "SparkSession", hibench_on_spark: Callable[..., Any], workload: str, rows: Sequence[Row]
) -> list[Row]:
    """Play rows in two files to a workload of Structured Streaming; return its answers with times in ms."""
    half = len(rows) // BATCHES
    files = [[as_spark_row(row) for row in some] for some in (rows[:half], rows[half:])]
    answers = play_files(spark, SCHEMA, files, lambda visits: hibench_on_spark(workload, visits, 2))
    return [_in_engine_form(row) for each in answers for row in each.changed]


def _in_engine_form(row: Any) -> Row:
    """Return a row of Spark's answer with whole ms instead of timestamps, and with `t`."""
    values = {name: _in_ms(value) for name, value in row.asDict().items()}
    return values | {"t": values["time"] if "time" in values else values.get("end", 0) - 1}


def _in_ms(value: Any) -> Any:
    return round(value.timestamp() * 1000) if isinstance(value, datetime) else value


def answer(workload: str, results: Iterable[Row]) -> Any:
    """Return the part of the results that must be equal in all engines, whose intermediate results may differ.

    wordcount: word -> its highest count. fixwindow: (ip, t) -> its last (count, first, last). Others: all rows, sorted.
    """
    if workload == "wordcount":
        counts: dict[str, int] = {}
        for row in results:
            counts[row["word"]] = max(row["count"], counts.get(row["word"], 0))
        return counts
    if workload == "fixwindow":
        return {(row["ip"], row["t"]): (row["count"], row["first"], row["last"]) for row in results}
    return sorted((row["t"], row["ip"], row["word"]) for row in results)


def hibench_report(query: Query, rows: Sequence[Row]) -> Report:
    """Play visits at their own times, and return what HiBench would report about the results.

    throughput = records * 1000 / (last end - first start), in whole numbers; latency = end - start. start is the time
    of a row, and end the time at which its result is available.
    """
    instance = Instance(query, Subquery(tuple(node.name for node in query.nodes), query.sources, query.results))
    began_s, times_ms = time.perf_counter(), list[tuple[float, float]]()
    for row in rows:
        time.sleep(max(0.0, row["t"] / 1000 - (time.perf_counter() - began_s)))
        for _, result in instance.run([Arrival(query.sources[0], row)], row["t"]):
            times_ms.append((result["t"], (time.perf_counter() - began_s) * 1000))
    span_ms = times_ms[-1][1] - times_ms[0][0]
    latency_ms = sum(max(0.0, end - start) for start, end in times_ms) / len(times_ms)
    return Report(len(times_ms), int(len(times_ms) * 1000 / span_ms), latency_ms)
