"""How `Replica` and `ask` are fed: a scripted feed, three processes on Kafka, and scripted replicas.

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
from streamlab.geo import Answer, NotCaughtUp, Unavailable


@drive("Replica")
def replica(stage: Any, case: Any) -> Rows:
    """What each step returned; or the answers of three processes."""
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
    """{"movers", "offsets"}, or the kind of error; the offsets of an answer are emptied where the case says so."""
    polygons, since_ms, at_least, *empties = arguments
    reached = None if at_least is None else {int(partition): offset for partition, offset in at_least.items()}
    try:
        answer = asked.within(_tuples(polygons), since_ms, reached)
    except NotCaughtUp:
        return "NotCaughtUp"
    told = {"movers": plain(answer.movers), "offsets": plain(answer.offsets)}
    if empties:
        answer.offsets.clear()
    else:
        answers[number] = answer
    return told


def _tuples(polygons: Any) -> Any:
    return tuple(tuple(tuple(tuple(place) for place in ring) for ring in polygon) for polygon in polygons)


@drive("ask")
def ask(stage: Any, case: Any) -> Rows:
    """The answer or the error, and all calls and pauses in order."""
    double, options = ScriptedReplicas(case["replicas"]), {**case["options"], "pause": None}
    options["pause"] = double.pause
    told: Rows
    try:
        answer = stage.ask(double.replicas(), *case["question"], **options)
        told = {"answer": plain(answer)}
    except Exception as problem:
        if type(problem) not in {Unavailable, *ERRORS.values()}:
            raise
        told = {"raised": type(problem).__name__, "text": str(problem)[:2000]}
    return told | {"calls": plain(double.calls)}
