"""Drives `Replica` with a scripted feed and with three processes on Kafka, and `ask` with scripted replicas.

A step of a script is ["grow", log], ["poll", most] or ["within", polygons, since_ms, at_least].
"""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from autograder.stages.lab08_geofencing.replicas.drive_doubles import (
    ERRORS,
    EasternIndex,
    ScriptedFeed,
    ScriptedReplicas,
)
from autograder.stages.lab08_geofencing.replicas.drive_processes import killed
from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Unavailable


@drive("Replica")
def replica(stage: Any, case: Any) -> Rows:
    """Return the result of each step, or the answers of three processes."""
    if "positions" in case:
        return killed(stage.Replica, case)
    feed = ScriptedFeed(case["log"])
    asked, steps, answers = stage.Replica(feed, EasternIndex()), list[Any](), dict[int, Answer]()
    for number, (what, *arguments) in enumerate(case["script"]):
        if what == "grow":
            feed.grow(*arguments)
            steps.append(None)
        elif what == "poll":
            steps.append(plain(asked.poll(*arguments)))
        else:
            steps.append(_within(asked, arguments, number, answers))
    for number, answer in answers.items():
        steps[number]["at the end"] = plain(answer.offsets)
    return {"steps": steps}


def _within(asked: Any, arguments: list[Any], number: int, answers: dict[int, Answer]) -> Any:
    """Return {"movers", "offsets"}, or the kind of error; empty the offsets of an answer if the case says so."""
    polygons, since_ms, at_least, *empties = arguments
    reached = None if at_least is None else {int(partition): offset for partition, offset in at_least.items()}
    try:
        answer = asked.within(_tuples(polygons), since_ms, reached)
    except NotCaughtUp:
        return "NotCaughtUp"
    outcome = {"movers": plain(answer.movers), "offsets": plain(answer.offsets)}
    if empties:
        answer.offsets.clear()
    else:
        answers[number] = answer
    return outcome


def _tuples(polygons: Any) -> Any:
    return tuple(tuple(tuple(tuple(place) for place in ring) for ring in polygon) for polygon in polygons)


@drive("ask")
def ask(stage: Any, case: Any) -> Rows:
    """Return the answer or the error, and all calls and pauses in order."""
    double, options = ScriptedReplicas(case["replicas"]), {**case["options"], "pause": None}
    options["pause"] = double.pause
    outcome: Rows
    try:
        answer = stage.ask(double.replicas(), *case["question"], **options)
        outcome = {"answer": plain(answer)}
    except Exception as problem:
        if type(problem) not in {Unavailable, *ERRORS.values()}:
            raise
        outcome = {"raised": type(problem).__name__, "text": str(problem)[:2000]}
    return outcome | {"calls": plain(double.calls)}
