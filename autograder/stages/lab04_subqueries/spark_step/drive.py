"""Drive `spark_step` with batches of rows, one after another, each with the state from the step before.

The buckets and the operator are stubs. The rows of a step hold its results with their partitions, the number of
shuffles that it added to the lineages of its inputs, and the number of jobs that its call started.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab04_subqueries.spark_step.drive_ledger import bucket_in_row, dies_once, new_instance
from streamlab.lab04_subqueries.engine import Arrival
from streamlab.lab04_subqueries.engine.on_spark import Owners, owners_of

SENDERS = 3  # partitions of the arrivals


class UnexpectedForm(Exception):
    """The step returned no RDD of (bucket, (state, arrivals that left)); the text describes its result."""


@drive("spark_step")
def spark_step(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the result of each step; the case says whether a worker is killed in the last step."""
    sc, steps = spark.sparkContext, []
    state, owners = None, None
    try:
        for step in case["steps"]:
            owners = owners_of(step["owners"], case["instances"])
            state = _partitioned(sc, [], owners) if state is None else state
            if case["kill"] and step is case["steps"][-1]:
                state = _partitioned(sc, state.collect(), owners)
                steps.append(_killed_step(stage, sc, state, step, owners, scratch))
            else:
                rows, state = _step(stage, sc, state, step, owners)
                steps.append(rows)
    except UnexpectedForm as other:
        return {"returned": str(other)}
    return {"steps": steps}


def _partitioned(sc: Any, pairs: list[Any], owners: Owners) -> Any:
    return sc.parallelize(pairs, owners.instances).partitionBy(owners.instances, owners).cache()


def _step(stage: Any, sc: Any, state: Any, step: Any, owners: Owners) -> tuple[Rows, Any]:
    """Return the result of one step, and the state for the next one."""
    state = state.cache()  # so that its id is in the lineage of derived RDDs
    arrivals = _arrivals(sc, step)
    given, jobs = _called(
        sc, lambda: stage.spark_step(new_instance, state, arrivals, step["until_ms"], bucket_in_row, owners)
    )
    shuffles = len(_shuffles(given) - _shuffles(state) - _shuffles(arrivals))
    stays = _is_in_the_stage_of(given, state)
    given = given.cache()
    rows = {"results": _results(given), "jobs": jobs, "shuffles": shuffles, "state_stays": stays}
    return rows, given.mapValues(lambda both: both[0])


def _killed_step(stage: Any, sc: Any, state: Any, step: Any, owners: Owners, scratch: Path) -> Rows:
    """Run a step in which a worker dies, and repeat the action; a cluster would repeat the task by itself."""
    flag, arrivals = scratch / "died", _arrivals(sc, step)
    make = dies_once(flag)
    given, jobs = _called(sc, lambda: stage.spark_step(make, state, arrivals, step["until_ms"], bucket_in_row, owners))
    with suppress(Exception):  # local[n] does not repeat a task
        given.collect()
    return {"results": _results(given), "jobs": jobs, "died": flag.exists()}


def _arrivals(sc: Any, step: Any) -> Any:
    return sc.parallelize([Arrival("rows", row) for row in step["rows"]], SENDERS)


def _called(sc: Any, call: Callable[[], Any]) -> tuple[Any, int]:
    """Return the result of a call, and how many jobs it has started."""
    from pyspark import RDD

    before = _jobs_so_far(sc)
    given = call()
    if not isinstance(given, RDD):
        raise UnexpectedForm(type_name(given))
    return given, _jobs_so_far(sc) - before


def _jobs_so_far(sc: Any) -> int:
    return int(sc._jsc.sc().dagScheduler().numTotalJobs())


def _results(given: Any) -> list[Any]:
    """Return [bucket, partition, rows that left] of each result."""

    def placed(partition: int, pairs: Iterable[Any]) -> Iterator[Any]:
        return ((partition, pair) for pair in pairs)

    return [_result(*each) for each in given.mapPartitionsWithIndex(placed).collect()]


def _result(partition: int, pair: Any) -> list[Any]:
    try:
        bucket, (_, left) = pair
        return [plain(bucket), partition, [plain(row) for _, row in left]]
    except (TypeError, ValueError):
        raise UnexpectedForm(f"an RDD with {type_name(pair)} {str(pair)[:80]}") from None


def _shuffles(rdd: Any) -> set[str]:
    """Return the numbers of all shuffles in the lineage of an RDD."""
    return set(re.findall(r"ShuffledRDD\[(\d+)\]", rdd.toDebugString().decode()))


def _is_in_the_stage_of(given: Any, state: Any) -> bool:
    """Return whether Spark can compute `given` from the partitions of `state` without a shuffle."""
    wanted, reached = state._jrdd.rdd().id(), [given._jrdd.rdd()]
    for rdd in reached:  # grows while it is read
        if rdd.id() == wanted:
            return True
        dependencies = rdd.dependencies()
        each = [dependencies.apply(at) for at in range(dependencies.size())]
        reached += [one.rdd() for one in each if "ShuffleDependency" not in one.getClass().getName()]
    return False
