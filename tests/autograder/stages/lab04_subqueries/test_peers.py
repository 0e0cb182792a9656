"""The reference against Spark itself: `Aggregate` and batch `window()`, `Join` and a range join."""

from typing import Any

import pytest

from streamlab.lab04_subqueries.engine import Query, Row, centralized
from tests.autograder.stages.driven_reference import reference

LAB = "lab04_subqueries"
SCHEMA = "t long, k string, v long"


def rows_of(count: int, first_ms: int, step: int) -> list[Row]:
    return [{"t": first_ms + at * step % 997, "k": f"k{at % 3}", "v": at * 37 % 101 - 50} for at in range(count)]


@pytest.mark.parametrize(("size_ms", "advance_ms"), [(100, 100), (100, 40), (90, 30)])
def test_time_window_aggregates_agree_with_spark(size_ms: int, advance_ms: int, spark: Any) -> None:
    from pyspark.sql import functions as f

    parts, rows = reference(LAB), rows_of(80, -150, 13)
    functions = {"count": ("COUNT", "v"), "sum": ("SUM", "v"), "least": ("MIN", "v")}
    aggregate = parts.Aggregate(["k"], parts.TimeWindow(size_ms, advance_ms), functions)
    query = Query("rows").add("window", aggregate, ["rows"], ["results"])

    in_spark = spark.createDataFrame([(row["t"], row["k"], row["v"]) for row in rows], SCHEMA)
    window = f.window(f.timestamp_millis("t"), f"{size_ms} milliseconds", f"{advance_ms} milliseconds")
    found = in_spark.groupBy(window.alias("w"), "k").agg(f.count("v"), f.sum("v"), f.min("v"))
    expected = found.select(f.unix_millis("w.end"), "k", "count(v)", "sum(v)", "min(v)").collect()

    results = centralized(query, {"rows": rows})["results"]
    got = [(row["t"] + 1, row["k"], row["count"], row["sum"], row["least"]) for row in results]
    assert sorted(got) == sorted(map(tuple, expected))
    assert min(row[0] for row in got) <= 0
    assert len(got) > 30


def test_joined_pairs_agree_with_a_range_join_in_spark(spark: Any) -> None:
    parts, left, right = reference(LAB), rows_of(60, -20, 7), rows_of(70, 0, 11)

    def emit(a: Row, b: Row) -> Row:
        return {"left": a["v"], "right": b["v"]}

    join = parts.Join(40, 25, emit, on=[("k", "k")])
    query = Query("left", "right").add("join", join, ["left", "right"], ["results"])

    for name, rows in ("l", left), ("r", right):
        table = spark.createDataFrame([(row["t"], row["k"], row["v"]) for row in rows], SCHEMA)
        table.createOrReplaceTempView(name)
    expected = spark.sql(
        "SELECT greatest(l.t, r.t), l.v, r.v FROM l JOIN r ON l.k = r.k AND r.t - l.t < 40 AND l.t - r.t < 25"
    ).collect()

    results = centralized(query, {"left": left, "right": right})["results"]
    assert sorted((row["t"], row["left"], row["right"]) for row in results) == sorted(map(tuple, expected))
    assert len(expected) > 50
