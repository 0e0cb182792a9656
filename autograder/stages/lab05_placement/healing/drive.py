"""Drives `heal` with dicts in any order, on a machine that the case describes."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from streamlab.lab05_placement.numa import Topology


@drive("heal")
def heal(stage: Any, case: Any) -> Rows:
    """Return the placement, and whether the arguments stayed unchanged."""
    distance = {at: dict(enumerate(row)) for at, row in enumerate(case["distance"])}
    topology = Topology({node: [node] for node in distance}, distance)
    arguments = [dict(case[name]) for name in ("nodes", "running", "managers", "busy")]
    before = [dict(each) for each in arguments]
    placed = stage.heal(*arguments, topology)
    return {"placed": plain(placed), "unchanged": arguments == before}
