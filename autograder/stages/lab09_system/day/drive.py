"""Drives `start_job` with four files and a failing writer, and in a whole day with all other tasks of the lab."""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows
from autograder.stages.lab09_system.day.drive_day import lived
from autograder.stages.lab09_system.day.drive_job import played


@drive("start_job")
def start_job(stage: Any, spark: Any, case: Any, scratch: Path, earlier: Any) -> Rows:
    """Return what the writers got, or what the day left in the log."""
    if "day" in case:
        return lived(stage, case, earlier)
    return played(stage, spark, case, scratch)
