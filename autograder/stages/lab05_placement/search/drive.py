"""Drives `first_placement` and `best_move` with machines, traffic and placements as plain data."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of
from streamlab.lab05_placement.numa import Links


@drive("first_placement")
def first_placement(stage: Any, case: Any) -> Rows:
    """Return the placement, and whether the arguments stayed unchanged."""
    instances, topology = list(case["instances"]), topology_of(case["machine"])
    found = stage.first_placement(instances, Links(traffic_of(case)), topology)
    unchanged = instances == case["instances"] and topology == topology_of(case["machine"])
    return {"placement": plain(found) if isinstance(found, dict) else type_name(found), "unchanged": unchanged}


@drive("best_move")
def best_move(stage: Any, case: Any) -> Rows:
    """Return the change of each instance, and whether the arguments stayed unchanged."""
    links, topology = Links(traffic_of(case)), topology_of(case["machine"])
    changes, unchanged = dict[str, Any](), True
    for instance in case["instances"]:
        placement = dict(case["placement"])
        found = stage.best_move(instance, placement, links, topology)
        changes[instance] = plain(found) if isinstance(found, dict) else type_name(found)
        unchanged = unchanged and placement == case["placement"] and topology == topology_of(case["machine"])
    return {"changes": changes, "unchanged": unchanged}
