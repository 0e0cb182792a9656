"""Drives `size` and `admit` with one call for each case."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab09_system import Stage

LOAD = "peak_per_s", "busy_percent", "outage_s", "drain_s"


@drive("size")
def size(stage: Any, case: Any) -> Rows:
    """Return [instances, partitions, drain_ms], or the error."""
    stages = [Stage(*each) for each in case["stages"]]
    return or_rejected(lambda: {"size": plain(stage.size(stages, *(case[name] for name in LOAD)))})


@drive("admit")
def admit(stage: Any, case: Any) -> Rows:
    """Return the records granted to each queue, or the error."""
    waiting, ranks = dict(case["waiting"]), dict(case["ranks"])
    return or_rejected(lambda: {"granted": plain(stage.admit(waiting, ranks, case["room"], case["least"]))})
