"""Write batches to a table with a learner's sink; some attempts die.

An attempt that dies gets a batch whose last partition cannot be computed. The partitions before it can, and a sink that
writes partition by partition has already written them. One that dies late cannot rename.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from autograder.inside.rows import Rows, plain

SCHEMA = "key string, count long"
PARTITIONS = 2


class SimulatedCrash(RuntimeError):
    """The error that ends an attempt."""


def written(write_once: Any, spark: Any, writes: list[list[Any]], table: str) -> Rows:
    """Return the rows after all writes, None if the table cannot be read, and the number of rows after each of them."""
    after_each, died = [], []
    for number, rows, how in writes:
        batch = dying_batch(spark, rows) if how == "dies" else whole_batch(spark, rows)
        died.append(False)
        try:
            with _no_renames() if how == "dies late" else nullcontext():
                write_once(batch, number, table)
        except (NotImplementedError, ValueError):
            raise
        except Exception:
            if how == "ok":
                raise
            died[-1] = True
        readable = rows_of(spark, table)
        after_each.append(None if readable is None else len(readable))
    return {"rows": rows_of(spark, table), "after_each": after_each, "died": died}


@contextmanager
def _no_renames() -> Iterator[None]:
    """Have Python's renames die, also those of pathlib and shutil."""
    renames = {name: getattr(os, name) for name in ("rename", "replace")}
    for name in renames:
        setattr(os, name, _die)
    try:
        yield
    finally:
        for name, rename in renames.items():
            setattr(os, name, rename)


def whole_batch(spark: Any, rows: list[list[Any]]) -> Any:
    """Return the rows as a DataFrame."""
    return spark.createDataFrame(spark.sparkContext.parallelize([tuple(row) for row in rows], PARTITIONS), SCHEMA)


def dying_batch(spark: Any, rows: list[list[Any]]) -> Any:
    """Return the rows as a DataFrame with one more partition, which fails."""
    kept = spark.sparkContext.parallelize([tuple(row) for row in rows], PARTITIONS)
    fails = spark.sparkContext.parallelize([None], 1).map(_die)
    return spark.createDataFrame(kept.union(fails), SCHEMA)


def _die(*_: Any) -> tuple[str, int]:
    raise SimulatedCrash("the machine dies")


def rows_of(spark: Any, table: str) -> list[Any] | None:
    """Return the rows that a reader of the table gets, sorted; None if the table cannot be read."""
    from pyspark.errors import PySparkException

    try:
        rows = spark.read.parquet(table).collect()
        return sorted((plain([row["key"], row["count"]]) for row in rows), key=repr)
    except PySparkException:
        return None
