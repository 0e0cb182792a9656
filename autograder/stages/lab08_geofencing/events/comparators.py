"""Reads the rows of `Watch` and `in_order`: the events or lists of each call, and which movers are left inside."""

from itertools import zip_longest
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_sequence, same_value
from autograder.checks.compare import shown

THREE = "(ready, waiting, late), three lists"
NO_ROW = "no row"
BEFORE = 5  # calls that a message shows


def events_of(rows: Rows, count: int) -> list[Any] | Mismatch:
    """Return the events of each of `count` calls, or a mismatch if they have the wrong form."""
    if "not_plain" in rows:
        problem = rows["not_plain"]
        return Mismatch(f"Expected Watch.state to be plain data; yours is not: {problem}.", None, problem)
    events = rows.get("events")
    if not isinstance(events, list) or len(events) != count:
        return Mismatch(f"Expected events of {count} calls; yours are {shown(events)}.", count, events)
    return events


def described(call: list[Any]) -> str:
    """Return a call as words: ["change", "a", 5, None] is "fence a is deleted at 5"."""
    kind, name, time_ms, where = call
    if kind == "move":
        return f"mover {name} moves to longitude {where} at {time_ms}"
    return f"fence {name} " + (f"becomes longitudes {shown(where)}" if where else "is deleted") + f" at {time_ms}"


def story(case: Case, at: int) -> str:
    """Return the end of a message: the calls before the one at position `at`, and when the watch resumes."""
    before = "; ".join(map(described, case["calls"][max(0, at - BEFORE) : at])) or "nothing"
    every = {0: "", 1: "call"}.get(case["resume_every"], f"{case['resume_every']} calls")
    resumes = f" The watch resumes from its state after every {every}." if every else ""
    return f"Before it: {'…; ' if at > BEFORE else ''}{before}.{resumes}"


def left_inside(events: list[Any]) -> list[list[Any]]:
    """Return [mover, fence] of each ENTER that no EXIT has followed."""
    inside: dict[str, list[Any]] = {}
    for of_call in events:
        for each in of_call if isinstance(of_call, list) else []:
            if isinstance(each, list) and len(each) == 4 and each[0] in ("ENTER", "EXIT"):
                pair = each[1:3]
                if each[0] == "ENTER":
                    inside[repr(pair)] = pair
                else:
                    inside.pop(repr(pair), None)
    return sorted(inside.values(), key=repr)


def calls_of(rows: Rows, count: int) -> list[dict[str, Any]] | Mismatch:
    """Return the three lists of each of `count` calls, or a mismatch if they have the wrong form."""
    calls = rows.get("calls")
    if not isinstance(calls, list) or len(calls) != count or not all(isinstance(each, dict) for each in calls):
        got = rows.get("returned", calls)
        return Mismatch(f"Expected in_order to return {THREE}; yours returns {shown(got)}.", THREE, got)
    return calls


def first_difference(expected: list[Any], got: Any, what: str) -> Mismatch | None:
    """Return the first row that is not the expected one, for lists whose order was promised."""
    if not isinstance(got, list) or not expected or not got:
        return same_sequence(expected, got, what=what)
    for at, (wanted, answer) in enumerate(zip_longest(expected, got, fillvalue=NO_ROW)):
        if same_value(wanted, answer, what=what):
            sentence = f"Expected {shown(wanted)} at position {at} of {what}; yours has {shown(answer)}."
            return Mismatch(sentence, expected, got)
    return same_sequence(expected, got, what=what)


def unchanged(calls: list[dict[str, Any]]) -> Mismatch | None:
    """Check that no call changes the lists that it is given."""
    for number, call in enumerate(calls, 1):
        if call.get("changed") != []:
            changed = shown(call.get("changed"))
            return Mismatch(f"Expected in_order to leave its arguments unchanged; call {number} changes {changed}.")
    return None


def named_in(calls: list[dict[str, Any]]) -> list[Any]:
    """Return [kind, name, offset] of all rows that are ready or late after a call, or wait at the end."""
    lists = [call.get(name) for call in calls for name in ("ready", "late")] + [calls[-1].get("waiting")]
    rows = [row for each in lists for row in (each if isinstance(each, list) else [each])]
    return [[row[0], row[1], row[3]] if isinstance(row, list) and len(row) == 4 else row for row in rows]
