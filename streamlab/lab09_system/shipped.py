"""A learner's tasks for other programs: written to a file by value, as functions go to Spark's workers."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from streamlab.spark.killable_job import by_value, with_session


def ship(tasks: Mapping[str, Any], file: Path) -> None:
    """Write tasks by name; a session that they mention becomes that of the program that reads them."""
    file.write_bytes(by_value(dict(tasks)))


def unshipped(file: Path, spark: Callable[[], Any] | None = None) -> SimpleNamespace:
    """Return the tasks of a file as attributes; `spark()` returns this program's session, if it has one."""
    return SimpleNamespace(**with_session(file.read_bytes(), spark))
