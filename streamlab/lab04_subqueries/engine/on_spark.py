"""A query on Spark, one micro-batch after another: the instances of a subquery are the partitions of an RDD.

A stateless subquery gets its rows from balancers. A stateful one goes through `spark_step`, which sends each row to
the partition that owns its bucket and holds the bucket's state.
"""

import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from streamlab.lab04_subqueries.engine.deployment import chooser_of
from streamlab.lab04_subqueries.engine.instance import Instance
from streamlab.lab04_subqueries.engine.query import Query, first_readers
from streamlab.lab04_subqueries.engine.rows import END_MS, START_MS, Arrival, Row, in_order

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext


class Owners:
    """The owner of each bucket, as a partition function for Spark: `rdd.partitionBy(owners.instances, owners)`.

    Create it with `owners_of`.
    """

    def __init__(self, owners: tuple[int, ...], instances: int) -> None:
        self.owners, self.instances = owners, instances

    def __call__(self, bucket: int) -> int:
        """Return the owner of a bucket."""
        return self.owners[bucket]

    def __len__(self) -> int:
        return len(self.owners)


def owners_of(owners: Sequence[int], instances: int) -> Owners:
    """Return the partition function of an ownership, the same object whenever the ownership is the same.

    Two equal functions that are different objects are a trap. PySpark compares partition functions with `==` and
    considers the two RDDs co-partitioned, while Java compares by identity and does not. The union of the two then has
    twice as many partitions, and a step over it gives wrong answers without an error.
    Raises ValueError if an owner is not one of the instances.
    Example: owners_of([0, 1, 0, 1], instances=2)(3) -> 1
    """
    if not owners or not all(0 <= owner < instances for owner in owners):
        raise ValueError(f"expected owners from 0 to {instances - 1}, one for each bucket, got {list(owners)}")
    return _cached_owners(tuple(owners), instances)


@cache
def _cached_owners(owners: tuple[int, ...], instances: int) -> Owners:
    return Owners(owners, instances)


class OnSpark:
    """Runs a query batch by batch; `owners[k]` may be replaced between two batches, by `owners_of(…)`.

    parts: an object with the learner's split, balancer, bucket_of and spark_step as attributes, maybe choose_plan.
    degrees: the number of instances of each subquery. Raises ValueError unless there is one degree per subquery.
    """

    def __init__(self, sc: "SparkContext", parts: Any, query: Query, degrees: Sequence[int], buckets: int = 32) -> None:
        self.parts, self.query, self.degrees, self.buckets = parts, query, list(degrees), buckets
        self.subqueries = parts.split(query)
        if len(self.subqueries) != len(degrees):
            raise ValueError(f"the query has {len(self.subqueries)} subqueries, got degrees {list(degrees)}")
        self.owners = [owners_of([bucket % degree for bucket in range(buckets)], degree) for degree in degrees]
        self._sc = sc
        self._states: list[Any] = [
            sc.parallelize([], each.instances).partitionBy(each.instances, each) for each in self.owners
        ]

    def batch(self, arrivals: "RDD[Arrival]", until_ms: int) -> list[Arrival]:
        """Run one batch and return its results.

        arrivals: those of all sources since the last batch, before `until_ms`. Everything that this batch computes is
        cached, so no batch is computed again when the next one runs.
        """
        streams: dict[str, Any] = dict.fromkeys(self.query.sources, arrivals)
        outputs = []
        for k, subquery in enumerate(self.subqueries):
            outputs.append(self._run(k, self._arrivals(subquery.inputs, streams), until_ms).cache())
            streams.update(dict.fromkeys(subquery.outputs, outputs[-1]))
        results = frozenset(self.query.results)
        return list(self._sc.union(outputs).filter(lambda arrival: arrival.stream in results).collect())

    def places(self, k: int) -> list[tuple[int, int, str]]:
        """Return (bucket, partition, worker's host) for each bucket of subquery `k` that has state, sorted."""

        def placed(partition: int, pairs: Iterable[Any]) -> Iterator[tuple[int, int, str]]:
            host = os.environ.get("SPARK_LOCAL_HOSTNAME") or socket.gethostname()
            return ((bucket, partition, host) for bucket, _ in pairs)

        return sorted(self._states[k].mapPartitionsWithIndex(placed).collect())

    def _arrivals(self, names: Iterable[str], streams: dict[str, Any]) -> Any:
        """Return the arrivals of the streams with these names; one RDD may hold several streams."""
        wanted = frozenset(names)
        rdds = {id(streams[name]): streams[name] for name in names}
        return self._sc.union(list(rdds.values())).filter(lambda arrival: arrival.stream in wanted)

    def _run(self, k: int, arrivals: Any, until_ms: int) -> Any:
        """Return the output of subquery `k` in this batch."""
        query, subquery = self.query, self.subqueries[k]

        def make() -> Instance:
            return Instance(query, subquery)

        operators = {node.name: node.operator for node in query.nodes}
        if not operators[subquery.operators[0]].stateful:
            return self._distributed(k, arrivals).mapPartitions(lambda some: make().run(some, END_MS))
        stepped = self.parts.spark_step(make, self._states[k], arrivals, until_ms, self._bucket(k), self.owners[k])
        stepped = stepped.cache()
        self._states[k] = stepped.mapValues(lambda both: both[0])
        return stepped.flatMap(lambda pair: pair[1][1])

    def _distributed(self, k: int, arrivals: Any) -> Any:
        """Move arrivals to the partitions that the balancers choose; each input partition is a separate sender."""
        degree, balancer = self.degrees[k], self.parts.balancer
        readers = first_readers(self.query, self.subqueries[k])
        plans = {stream: chooser_of(self.parts)(*reader, degree) for stream, reader in readers.items()}

        def routed(some: Iterable[Arrival]) -> Iterator[tuple[int, Arrival]]:
            routes = {stream: balancer(plan, degree) for stream, plan in plans.items()}
            return ((instance, each) for each in some for instance in routes[each.stream](each.row))

        return arrivals.mapPartitions(routed).partitionBy(degree, _identity).values()

    def _bucket(self, k: int) -> Callable[[Arrival], int]:
        """Return the function from an arrival at subquery `k` to its bucket: always 0 if any two rows may meet."""
        bucket_of, buckets = self.parts.bucket_of, self.buckets
        readers = first_readers(self.query, self.subqueries[k])
        fields = {stream: operator.keys(port) for stream, (operator, port) in readers.items()}
        if None in fields.values():
            return lambda arrival: 0
        return lambda arrival: int(bucket_of(arrival.row, fields[arrival.stream], buckets))


def _identity(instance: int) -> int:
    return instance


def run_on_spark(
    sc: "SparkContext",
    parts: Any,
    query: Query,
    degrees: Sequence[int],
    inputs: Mapping[str, Iterable[Row]],
    batches: int = 3,
    move: bool = False,
) -> dict[str, list[Row]]:
    """Run a query over the rows of its sources in `batches` batches; return the rows of each result stream in order.

    If `move` is true, every bucket moves to the next instance after each batch.
    Example: run_on_spark(sc, parts, query, degrees=[2, 3], inputs={"visits": rows}) == centralized(query, …)
    """
    run, results = OnSpark(sc, parts, query, degrees), {stream: list[Row]() for stream in query.results}
    arrivals = [Arrival(stream, row) for stream in query.sources for row in inputs.get(stream, ())]
    for some, until_ms in _cut(arrivals, batches):
        for stream, row in run.batch(sc.parallelize(some, 2), until_ms):
            results[stream].append(row)
        for k, degree in enumerate(degrees if move else []):
            run.owners[k] = owners_of([(owner + 1) % degree for owner in run.owners[k].owners], degree)
    return {stream: in_order(stream, rows) for stream, rows in results.items()}


def _cut(arrivals: list[Arrival], batches: int) -> Iterator[tuple[list[Arrival], int]]:
    """Cut arrivals by time into batches of similar size, each with the exclusive end of its interval."""
    times_ms = sorted(arrival.row["t"] for arrival in arrivals)
    cuts = [times_ms[len(times_ms) * number // batches] for number in range(1, batches)] if times_ms else []
    for low_ms, high_ms in pairwise([START_MS, *cuts, END_MS]):
        yield [each for each in arrivals if low_ms <= each.row["t"] < high_ms], high_ms
