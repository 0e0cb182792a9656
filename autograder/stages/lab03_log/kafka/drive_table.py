"""Batches written to a table by a learner's sink, some of which die on the way.

A try that dies gets a batch whose last partition cannot be computed: the partitions before it were, and were written,
if the sink writes as it goes.
"""

from typing import Any

from autograder.inside.rows import Rows, plain

SCHEMA = "key string, count long"
PARTITIONS = 2


class Dies(RuntimeError):
    """What ends a try."""


def written(write_once: Any, spark: Any, writes: list[list[Any]], table: str) -> Rows:
    """The rows after all writes, and how many there were after each of them."""
    after_each = []
    for number, rows, how in writes:
        batch = dying_batch(spark, rows) if how == "dies" else whole_batch(spark, rows)
        try:
            write_once(batch, number, table)
        except (NotImplementedError, ValueError):
            raise
        except Exception:
            if how != "dies":
                raise
        there = rows_of(spark, table)
        after_each.append(None if there is None else len(there))
    return {"rows": rows_of(spark, table) or [], "after_each": after_each}


def whole_batch(spark: Any, rows: list[list[Any]]) -> Any:
    """The rows as a DataFrame."""
    return spark.createDataFrame(spark.sparkContext.parallelize([tuple(row) for row in rows], PARTITIONS), SCHEMA)


def dying_batch(spark: Any, rows: list[list[Any]]) -> Any:
    """The rows, and after them a partition that fails."""
    kept = spark.sparkContext.parallelize([tuple(row) for row in rows], PARTITIONS)
    fails = spark.sparkContext.parallelize([None], 1).map(_die)
    return spark.createDataFrame(kept.union(fails), SCHEMA)


def _die(_: None) -> tuple[str, int]:
    raise Dies("the machine dies")


def rows_of(spark: Any, table: str) -> list[Any] | None:
    """What a reader of the table gets, in order; None where there is nothing to read."""
    from pyspark.errors import PySparkException

    try:
        there = spark.read.parquet(table)
        return sorted((plain([row["key"], row["count"]]) for row in there.collect()), key=repr)
    except PySparkException:
        return None
