"""Drives `cost`, `swap_gain` and `throughput` with machines, traffic and rates as plain data."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of
from streamlab.lab05_placement.numa import Flow, Links


class AskedLinks(Links):
    """Links that record the instances for which they were asked."""

    def __init__(self, traffic: Any) -> None:
        super().__init__(traffic)
        self.asked: list[Any] = []

    def of(self, instance: str) -> dict[str, Flow]:
        """Return the flows of an instance, as a copy."""
        self.asked.append(plain(instance))
        return dict(super().of(instance))


@drive("cost")
def cost(stage: Any, case: Any) -> Rows:
    """Return the cost of a placement."""
    arguments = dict(case["placement"]), traffic_of(case), topology_of(case["machine"])
    return or_rejected(lambda: {"cost": plain(stage.cost(*arguments))})


@drive("swap_gain")
def swap_gain(stage: Any, case: Any) -> Rows:
    """Return the gain of each pair, whose links were read, and whether the placement stayed unchanged."""
    placement, topology, gains, asked = dict(case["placement"]), topology_of(case["machine"]), list[Any](), list[Any]()
    for a, b in case["pairs"]:
        links = AskedLinks(traffic_of(case))
        gains.append(plain(stage.swap_gain(a, b, placement, links, topology)))
        asked.append(links.asked)
    return {"gains": gains, "asked": asked, "unchanged": placement == case["placement"]}


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
