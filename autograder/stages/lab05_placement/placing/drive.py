"""Drives `place` with problems as plain data, and with rows that Lab 4's buckets route."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.new_process import answers_of_new_process
from autograder.inside.parts import FIRST, SECOND
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of
from streamlab.lab05_placement.numa import Links

UNWRITTEN = ("NotImplementedError", "TaskMissing")
PROBE = {"nodes": [0, 1, 2], "cores": [1, 1, 1], "rows": [[10, 20, 30], [25, 10, 20], [40, 25, 10]]}


@drive("place", slow=True)
def place(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return a placement for each problem; if the case asks for it, place once more here and in another process.

    In a second sandbox, only that process places.
    """
    if case.get("part") == SECOND:
        return {"elsewhere": answers_of_new_process(stage.place, [_arguments(case)])}
    routed: Rows = {}
    if "rows" in case:
        case, routed["traffic"] = _routed(case, earlier("lab04_subqueries").bucket_of)
    problems = case.get("problems", [case])
    rows = or_rejected(lambda: {"placements": [_placed(stage, each, case.get("starts")) for each in problems]})
    if case.get("again"):
        rows["again"] = _placed(stage, case, None)
    if case.get("again") and case.get("part") != FIRST:
        rows["elsewhere"] = answers_of_new_process(stage.place, [_arguments(case)])
    return rows | routed | {"parts": _probed(stage)}


def _arguments(problem: Any) -> tuple[Any, ...]:
    return list(problem["instances"]), traffic_of(problem), topology_of(problem["machine"])


def _placed(stage: Any, problem: Any, starts: int | None) -> Any:
    arguments, as_they_were = _arguments(problem), _arguments(problem)
    found = stage.place(*arguments) if starts is None else stage.place(*arguments, starts=starts)
    if arguments != as_they_were:
        return "<a placement, with an argument changed>"
    return plain(found) if isinstance(found, dict) else type_name(found)


def _routed(case: Any, bucket_of: Any) -> tuple[Any, list[Any]]:
    """Return the problem whose traffic is the bytes of rows, each routed from its sender to the owner of its bucket."""
    sent = Counter[tuple[str, str]]()
    for sender, row in case["rows"]:
        receivers = case["receivers"][sender.split(".")[0]]
        sent[sender, receivers[bucket_of(row, ["ip"], 16) % len(receivers)]] += len(json.dumps(row))
    traffic = [[sender, receiver, amount] for (sender, receiver), amount in sorted(sent.items())]
    return {"instances": case["instances"], "traffic": traffic, "machine": case["machine"]}, traffic


def _probed(stage: Any) -> Any:
    """Return the results of the steps of `place` for a small probe, without those that are not written."""
    links, topology = Links({("a", "b"): 100, ("b", "c"): 10}), topology_of(PROBE)
    calls = {
        "first_placement": lambda: stage.first_placement(["a", "b", "c"], links, topology),
        "best_move": lambda: stage.best_move("a", {"a": 0, "b": 1, "c": 2}, links, topology),
    }
    found: dict[str, Any] = {}
    for name, call in calls.items():
        try:
            found[name] = plain(call())
        except Exception as problem:
            if type(problem).__name__ not in UNWRITTEN:
                found[name] = f"{type(problem).__name__}: {problem}"[:200]
    return found


@drive("place.throughput")
def place_throughput(stage: Any, case: Any) -> Rows:
    """Place all problems of a file in one turn, with one start each."""
    problems = json.loads(Path(case["path"]).read_bytes())
    return or_rejected(lambda: {"placements": [_placed(stage, each, 1) for each in problems]})
