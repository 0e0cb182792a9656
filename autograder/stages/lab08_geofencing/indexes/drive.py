"""Drives the indexes with scripts of calls, with stubs for the geometry."""

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from autograder.stages.lab08_geofencing.indexes.drive_exact import (
    Counted,
    TooManyObjects,
    counted_geometry,
    eastern_half,
    few_objects,
    polygons_of,
)
from streamlab.lab08_geofencing.geo import Position


@drive("FenceIndex")
def fence_index(stage: Any, case: Any) -> Rows:
    """Return the result of each `at` and the number of calls of `exact`, or the first call with too many objects."""
    exact, done = Counted(eastern_half), list[Any]()
    try:
        with few_objects(case.get("most_objects", inf)) as count:
            found = _asked(stage.FenceIndex(exact), case["script"], done, count)
    except TooManyObjects:
        return {"too_many_objects": len(done)}
    return {"found": found, "tested": exact.calls}


def _asked(index: Any, script: list[Any], done: list[Any], count: Callable[[], None]) -> list[Any]:
    """Return the result of each `at`; `done` gets each call that has not made too many objects."""
    found = []
    for call, *arguments in script:
        if call == "put":
            index.put(arguments[0], polygons_of(arguments[1]))
        elif call == "remove":
            index.remove(arguments[0])
        else:
            found.append(plain(index.at(*arguments)))
        count()
        done.append(call)
    return found


@drive("FenceIndex.throughput")
def fence_index_throughput(stage: Any, case: Any) -> Rows:
    """Play one turn: return the fences of each place of a file.

    A line has a fence's name and corners, or a place.
    """
    index, found = stage.FenceIndex(eastern_half), []
    for line in Path(case["path"]).read_text("ascii").splitlines():
        name, *numbers = line.split()
        values = list(map(float, numbers))
        if name == "at":
            found.append(index.at(*values))
        else:
            index.put(name, ((tuple(zip(values[::2], values[1::2], strict=True)),),))
    return {"found": plain(found)}


@drive("MoverIndex")
def mover_index(stage: Any, case: Any) -> Rows:
    """Return the result of each call, and how often it called `exact` and `metres`."""
    exact, metres = counted_geometry(case.get("times", 1))
    index, answers, tested = stage.MoverIndex(exact, metres), [], []
    for call, *arguments in case["script"]:
        before = exact.calls + metres.calls
        answers.append(plain(getattr(index, call)(*_arguments(call, arguments))))
        tested.append(exact.calls + metres.calls - before)
    return {"answers": answers, "tested": tested}


def _arguments(call: str, arguments: list[Any]) -> list[Any]:
    if call == "put":
        return [Position(*arguments)]
    return [polygons_of(arguments[0]), *arguments[1:]] if call == "within" else arguments
