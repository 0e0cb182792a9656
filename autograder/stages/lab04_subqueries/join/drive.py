"""Drive a join with rows of two inputs in the order of time, and a predicate that records its pairs."""

import pickle
from typing import Any

from autograder.inside import drive
from autograder.inside.parts import FIRST, as_bytes, as_text
from autograder.inside.rows import Rows, UnreadableAnswer, or_rejected, plain, type_name
from streamlab.lab04_subqueries.engine import END_MS

Row = dict[str, Any]


@drive("Join")
def join(stage: Any, case: Any) -> Rows:
    """Return the rows of all calls, the keys of both inputs, the pairs of the predicate, and the sizes of the state."""
    return or_rejected(lambda: _played(stage, case))


def _made(stage: Any, case: Any, asked: list[Any]) -> Any:
    def predicate(left: Row, right: Row) -> bool:
        asked.append([left["id"], right["id"]])
        return bool(left["v"] <= right["v"])

    def emit(left: Row, right: Row) -> Row:
        if case.get("emits_left"):
            return left
        return {"left": left["id"], "right": right["id"]} | ({"t": left["t"]} if case.get("emits_time") else {})

    more: dict[str, Any] = {"predicate": predicate} if case.get("predicate") else {}
    if case.get("on") or case.get("group_by"):
        more |= {"on": [tuple(pair) for pair in case["on"]], "group_by": list(case["group_by"])}
    return stage.Join(case["left_ms"], case["right_ms"], emit, **more)


def _played(stage: Any, case: Any) -> Rows:
    """Play all rows, each after the call that moves time to it, and then the end of time.

    With `new_objects`, a new object continues after each row from the bytes whose size the rows hold.
    """
    asked: list[Any] = []
    join, joined, sizes = _made(stage, case, asked), list[Any](), list[int]()
    state = _pickled(join.state)
    empty_bytes = len(state)
    if "state" in case:
        join.state = pickle.loads(as_bytes(case["state"]))
    for port, row in case["rows"]:
        joined += [_kept(join.on_time(row["t"])), _kept(join.on_row(dict(row), *([port] if port else [])))]
        if case.get("new_objects"):
            state, join = _pickled(join.state), _made(stage, case, asked)
            join.state = pickle.loads(state)
            sizes.append(len(state))
    if case.get("part") == FIRST:
        return {
            "joined": [_rows(each) for each in joined],
            "asked": asked,
            "first_state_bytes": sizes,
            "state": as_text(state),
        }
    joined.append(_kept(join.on_time(case.get("until_ms", END_MS))))
    sizes.append(len(_pickled(join.state)))
    found = {"joined": [_rows(each) for each in joined], "asked": asked, "keys": plain([join.keys(0), join.keys(1)])}
    return found | {"empty_bytes": empty_bytes, "state_bytes": sizes}


def _pickled(state: Any) -> bytes:
    try:
        return pickle.dumps(state)
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        why = f"`state` must be a dict that can be pickled, and yours holds something that cannot: {problem}"
        raise UnreadableAnswer(why) from None


def _kept(returned: Any) -> Any:
    """Return a new list of the rows of a call, which are read only in the end: nothing may change them until then."""
    return list(returned) if isinstance(returned, list | tuple) else returned


def _rows(returned: Any) -> Any:
    """Return the rows of a call as JSON, or the kind of anything that is not a list of rows."""
    is_rows = isinstance(returned, list | tuple) and all(isinstance(row, dict) for row in returned)
    return plain(returned) if is_rows else type_name(returned)
