"""Drive windows and aggregates with positions, values, and rows in the order of time.

`Aggregate` runs with the learner's own earlier tasks, if it uses them. The rows also hold their answers to small
cases, so that a message can name the part that is wrong.
"""

import json
import pickle
from functools import reduce
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.parts import FIRST, as_bytes, as_text
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab04_subqueries.aggregate.drive_values import Counted, Work, plain_value
from autograder.stages.lab04_subqueries.panes.drive import add_row, panes
from streamlab.lab04_subqueries.engine import END_MS, AggregateFunction, SizeWindow, TimeWindow

KINDS = {"time": TimeWindow, "size": SizeWindow}
NAMES = ("COUNT", "SUM", "MIN", "MAX", "AVG", "FIRST_VAL", "LAST_VAL")  # of aggregate functions
PROBES = {
    "window_starts": {"window": ["time", 10, 4], "positions": [9, 10]},
    **{name: {"name": name, "values": [5, -3, 7]} for name in NAMES},
    "Panes": {"window": ["time", 10, 4], "calls": [["add", "a", 1, 5, 7], ["add", "a", 9, 2, 3], ["close", "a", 0]]},
    "add_row": {"window": [2, 2], "groups": ["a", "a"]},
}


@drive("window_starts")
def window_starts(stage: Any, case: Any) -> Rows:
    """Return the starts for each position."""
    window = window_of(case)
    return {"starts": plain([stage.window_starts(window, at) for at in case["positions"]])}


@drive("aggregate_function")
def aggregate_function(stage: Any, case: Any) -> Rows:
    """Return the result of all values in turn, of two halves, and of the same two halves once more."""

    def results() -> Rows:
        function = stage.aggregate_function(case["name"])
        if not all(hasattr(function, step) for step in AggregateFunction._fields):
            return {"returned": type_name(function)}
        lift, combine, lower = function.lift, function.combine, function.lower
        values, half = case["values"], len(case["values"]) // 2
        parts = [reduce(combine, map(lift, some)) for some in (values[:half], values[half:]) if some]
        halves, again = (lower(reduce(combine, parts)) for _ in range(2))
        return {"in_turn": plain(lower(reduce(combine, map(lift, values)))), "halves": plain([halves, again])}

    return or_rejected(results)


@drive("Aggregate")
def aggregate(stage: Any, case: Any) -> Rows:
    """Return the rows of each call, the work it took, the size of the state, and the answers of the parts."""

    return or_rejected(lambda: _played(stage, case)) | {"parts": {part: _probed(stage, part) for part in PROBES}}


DRIVES = {"window_starts": window_starts, "Panes": panes, "add_row": add_row}


def window_of(case: Any) -> Any:
    """Return the window of a case, ["time", size, advance]."""
    kind, size, advance = case["window"]
    return KINDS[kind](size, advance)


def _made(stage: Any, case: Any) -> Any:
    functions = {result: (name, field) for result, (name, field) in case["functions"].items()}
    return stage.Aggregate(list(case["group_by"]), window_of(case), functions)


def _played(stage: Any, case: Any) -> Rows:
    """Play all rows, each after the call that moves time to it, and then the end of time.

    With `new_objects`, a new object continues after each row from the bytes whose size the rows hold.
    """
    aggregate, work, answers, sizes = _made(stage, case), Work(), list[Any](), list[int]()
    keys, state = plain(aggregate.keys(0)), pickle.dumps(aggregate.state)
    empty_bytes = len(state)
    if "state" in case:
        aggregate.state = pickle.loads(as_bytes(case["state"]))
    for row in case["rows"]:
        counted = {**row, "v": Counted(row["v"], work)} if case.get("counted") else dict(row)
        answers += [_rows(aggregate.on_time(row["t"])), _rows(aggregate.on_row(counted))]
        if case.get("new_objects"):
            state, aggregate = pickle.dumps(aggregate.state), _made(stage, case)
            aggregate.state = pickle.loads(state)
            sizes.append(len(state))
    if case.get("part") == FIRST:
        return {"answers": answers, "first_state_bytes": sizes, "state": as_text(state)}
    answers.append(_rows(aggregate.on_time(case.get("until_ms", END_MS))))
    sizes.append(len(pickle.dumps(aggregate.state)))
    found = {"answers": answers, "keys": keys, "operations": work.operations}
    return found | {"empty_bytes": empty_bytes, "state_bytes": sizes}


def _rows(returned: Any) -> Any:
    """Return the rows of a call as JSON, or the kind of anything that is not a list of rows."""
    if not isinstance(returned, list | tuple) or not all(isinstance(row, dict) for row in returned):
        return type_name(returned)
    return plain([{name: plain_value(value) for name, value in row.items()} for row in returned])


def _probed(stage: Any, part: str) -> Rows:
    try:
        return DRIVES.get(part, aggregate_function)(stage=stage, case=PROBES[part])
    except Exception as problem:
        return {"failed": f"{type(problem).__name__}: {problem}"[:200]}


@drive("Aggregate.throughput")
def aggregate_throughput(stage: Any, case: Any) -> Rows:
    """Run one turn: all rows of a file through one aggregate."""
    settings, rows = json.loads(Path(case["path"]).read_bytes())
    aggregate, results = _made(stage, settings), list[Any]()
    for row in rows:
        results += aggregate.on_time(row["t"])
        results += aggregate.on_row(row)
    results += aggregate.on_time(END_MS)
    return {"results": plain(results)}
