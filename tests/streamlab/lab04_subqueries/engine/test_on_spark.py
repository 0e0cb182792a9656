"""A query on Spark produces the rows of the centralized run, batch by batch, while owners change."""

from collections.abc import Sequence
from typing import Any

import pytest

from streamlab.lab04_subqueries.engine import Arrival, Filter, Map, Numbered, Operator, Query, Row, Union, centralized
from streamlab.lab04_subqueries.engine.on_spark import OnSpark, owners_of, run_on_spark


def test_equal_ownership_is_one_cached_object() -> None:
    first = owners_of([0, 1, 1], 2)

    assert owners_of((0, 1, 1), 2) is first
    assert owners_of([0, 1, 1], 3) is not first
    assert owners_of([1, 0, 1], 2) is not first
    assert ([first(bucket) for bucket in range(3)], len(first), first.instances) == ([0, 1, 1], 3, 2)


@pytest.mark.parametrize(("owners", "instances"), [([], 1), ([0, 2], 2), ([-1], 2), ([0], 0)])
def test_an_owner_outside_the_instances_is_rejected(owners: Sequence[int], instances: int) -> None:
    with pytest.raises(ValueError, match="expected owners from 0"):
        owners_of(owners, instances)


def test_each_subquery_needs_a_number_of_instances(parts: Any, spark: Any) -> None:
    query = Query("rows").add("number", Numbered(["k"], "n"), ["rows"], ["numbered"])

    with pytest.raises(ValueError, match="the query has 1 subqueries"):
        OnSpark(spark.sparkContext, parts, query, [2, 2])


def rows_of(count: int, keys: int) -> list[Row]:
    """Return rows with many equal times."""
    return [{"t": at // 3 * 2, "k": f"k{at * 7 % keys}", "v": at * 31 % 17} for at in range(count)]


def pairs_near_in_value(parts: Any) -> Operator:
    """Return a join without equal fields: any two rows may match."""
    join: Operator = parts.Join(4, 4, merge, predicate=lambda left, right: abs(left["v"] - right["v"]) < 2)
    return join


def merge(left: Row, right: Row) -> Row:
    return {"left": left["v"], "right": right["v"], "k": left["k"]}


def queries(parts: Any) -> list[tuple[Query, list[int]]]:
    """Return queries with all four balancers, and a union after a stateful operator."""
    windows = Query("a", "b").add("both", Union(2), ["a", "b"], ["all"])
    windows.add("sum", parts.Aggregate(["k"], parts.TimeWindow(10, 4), {"v": ("SUM", "v")}), ["all"], ["sums"])
    windows.add("most", parts.Aggregate([], parts.TimeWindow(8, 8), {"v": ("MAX", "v")}), ["sums"], ["results"])
    joined = Query("a", "b").add("double", Map(lambda row: {**row, "v": 2 * row["v"]}), ["a"], ["doubled"])
    joined.add("number", Numbered(["k"], "n"), ["b"], ["numbered"])
    joined.add("pairs", pairs_near_in_value(parts), ["doubled", "numbered"], ["paired"])
    joined.add("some", Filter(lambda row: row["left"] % 3 > 0), ["paired"], ["results"])
    return [(windows, [2, 3, 1]), (joined, [2, 2, 3])]


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1], ids=["windows", "join"])
def test_batches_with_changing_owners_produce_the_centralized_rows(number: int, parts: Any, spark: Any) -> None:
    query, degrees = queries(parts)[number]
    inputs = {"a": rows_of(60, 5), "b": rows_of(40, 4)}
    got = run_on_spark(spark.sparkContext, parts, query, degrees, inputs, batches=3, move=True)

    assert got == centralized(query, inputs)
    assert len(got["results"]) > 5


def test_a_bucket_with_state_is_in_the_partition_of_its_owner(parts: Any, spark: Any) -> None:
    query = Query("rows").add("number", Numbered(["k"], "n"), ["rows"], ["numbered"])
    run = OnSpark(spark.sparkContext, parts, query, [3], buckets=8)
    arrivals = [Arrival("rows", row) for row in rows_of(30, 9)]
    run.batch(spark.sparkContext.parallelize(arrivals[:15], 2), 10)
    first = run.places(0)
    run.owners[0] = owners_of([2] * 8, 3)
    run.batch(spark.sparkContext.parallelize(arrivals[15:], 2), 20)

    assert [(bucket, partition) for bucket, partition, _ in first] == [(bucket, bucket % 3) for bucket, _, _ in first]
    assert {partition for _, partition, _ in run.places(0)} == {2}
    assert len(first) > 3
    assert all(host for _, _, host in first)
