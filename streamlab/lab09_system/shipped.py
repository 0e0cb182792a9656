"""A learner's tasks for other programs: written to a file by value, as functions go to Spark's workers."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SESSION, CONTEXT = "the session", "the Spark context"


def ship(tasks: Mapping[str, Any], file: Path) -> None:
    """Write tasks by name; a session that they mention becomes that of the program that reads them."""
    from pyspark import SparkContext, cloudpickle
    from pyspark.sql import SparkSession

    class WithoutTheSession(cloudpickle.Pickler):  # type: ignore[misc, name-defined]
        def persistent_id(self, value: Any) -> str | None:
            if isinstance(value, SparkSession) or type(value).__name__ == "DeferredSession":  # a sandbox's
                return SESSION
            return CONTEXT if isinstance(value, SparkContext) else None

    with open(file, "wb") as stream:
        WithoutTheSession(stream).dump(dict(tasks))


def unshipped(file: Path, spark: Any = None) -> SimpleNamespace:
    """Return the tasks of a file as attributes; `spark()` returns this program's session, if it has one."""

    class WithTheSession(pickle.Unpickler):
        def persistent_load(self, name: str) -> Any:
            if spark is None:
                return None
            return spark() if name == SESSION else spark().sparkContext

    with open(file, "rb") as stream:
        return SimpleNamespace(**WithTheSession(stream).load())
