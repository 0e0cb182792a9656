"""Drives `Watch` and `in_order` with calls one after another; the state after a call goes into the next one."""

import pickle
from typing import Any

from autograder.inside import drive
from autograder.inside.parts import FIRST, as_bytes, as_text
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab08_geofencing.events.drive_stubs import FencesByLongitude, MoversByLongitude, has_longitude
from autograder.stages.lab08_geofencing.events.drive_unpickling import NotPlain, from_plain_data
from streamlab.lab08_geofencing.geo import Change, Position

LAT = 60.0  # no fence of a case has this number among its longitudes


@drive("Watch")
def watch(stage: Any, case: Any) -> Rows:
    """Return the events of each call; after every `resume_every` calls, a new Watch resumes from the pickled state."""
    stubs = {"contains": has_longitude, "FenceIndex": FencesByLongitude, "MoverIndex": MoversByLongitude}
    with stage.replaced(**stubs):
        try:
            return _watched(stage.Watch, case)
        except NotPlain as problem:
            return {"not_plain": str(problem)}


def _watched(new_watch: Any, case: Any) -> Rows:
    resume_every, answers = case["resume_every"], []
    watch = new_watch(from_plain_data(as_bytes(case["state"]))) if "state" in case else new_watch()
    for number, (kind, name, time_ms, where) in enumerate(case["calls"], case.get("begin", 0)):
        if kind == "move":
            events = watch.move(Position(name, time_ms, float(where), LAT, number))
        else:
            events = watch.change(Change(name, time_ms, where, number))
        answers.append(plain(events) if isinstance(events, list) else type_name(events))
        if resume_every and (number + 1) % resume_every == 0:
            watch = new_watch(from_plain_data(_pickled(watch.state)))
    return {"events": answers} | ({"state": as_text(_pickled(watch.state))} if case.get("part") == FIRST else {})


def _pickled(state: Any) -> bytes:
    try:
        return pickle.dumps(state)
    except Exception as problem:  # pickle raises errors of many classes
        raise NotPlain(f"the state cannot be pickled: {problem}"[:200]) from None


@drive("in_order")
def in_order(stage: Any, case: Any) -> Rows:
    """Return the three lists of each call, and which arguments it changed.

    The waiting rows and the reached time go into the next call.
    """
    waiting, done_ms, answers = [_row(each) for each in case["waiting"]], case["done_ms"], []
    for call in case["calls"]:
        arrived = [_row(each) for each in call["arrived"]]
        before = {"waiting": list(waiting), "arrived": list(arrived)}
        given = stage.in_order(waiting, arrived, done_ms, call["watermark_ms"])
        after = {"waiting": waiting, "arrived": arrived}
        if not (isinstance(given, list | tuple) and len(given) == 3 and all(isinstance(each, list) for each in given)):
            return {"returned": _form(given)}
        lists = {name: [_shown(row) for row in rows] for name, rows in zip(NAMES, given, strict=True)}
        answers.append(lists | {"changed": [name for name in before if before[name] != after[name]]})
        waiting, done_ms = given[1], call["watermark_ms"]
    return {"calls": answers}


NAMES = ("ready", "waiting", "late")


def _row(given: list[Any]) -> Position | Change:
    kind, name, time_ms, offset = given
    return Position(name, time_ms, 17.0, LAT, offset) if kind == "position" else Change(name, time_ms, None, offset)


def _shown(row: Any) -> Any:
    if isinstance(row, Position):
        return ["position", row.mover, row.time_ms, row.offset]
    return ["change", row.fence, row.time_ms, row.offset] if isinstance(row, Change) else type_name(row)


def _form(given: Any) -> str:
    """Return the form of a result: "(<list>, <list>, <NoneType>)"."""
    return f"({', '.join(map(type_name, given))})" if isinstance(given, tuple) and len(given) < 9 else type_name(given)
