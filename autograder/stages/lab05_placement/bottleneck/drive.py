"""Drives `throughput` with machines and rates as plain data."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of


@drive("throughput")
def throughput(stage: Any, case: Any) -> Rows:
    """Return source events per second."""
    arguments = (
        dict(case["placement"]),
        traffic_of(case),
        topology_of(case["machine"]),
        case["cpu_us"],
        case["memory_us"],
    )
    return or_rejected(lambda: {"events_per_s": plain(stage.throughput(*arguments))})
