"""Compares the steps of a `GuardedStore`, and describes them and calls of `repair` as a learner would type them."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown

BEFORE = 6  # steps that a message shows


def written(value: Any) -> str:
    """Return a value as a learner would write it, with NO_ANSWER as a name."""
    return shown(value).replace('"<NoAnswer>"', "NO_ANSWER")


def guard_of(case: Case) -> str:
    """Return the constructor call: "GuardedStore(store, 2, 5, clock)"."""
    cached = " behind your LruCache" if "ttl_s" in case else ""
    return f"GuardedStore(store, {case['trips']}, {case['rest_s']}, clock){cached}"


def _step(step: list[Any], of: str = "") -> str:
    """Return a step as text: 'get_many(["ann"]) at 6 s (the store fails)'."""
    now_s, keys, *fate = step
    if keys == "state":
        return f"state{of} at {now_s} s"
    after = f" after {fate[1]} s" if fate[1:] else ""
    return f"get_many({shown(keys)}){of} at {now_s} s (the store {fate[0]}{after})"


def first_wrong_step(case: Case, expected: list[Any], rows: Rows, fields: tuple[str, ...]) -> Mismatch | None:
    """Return the first step with another state, or another value of a field (answer, asked)."""
    got = rows.get("steps")
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} steps of {guard_of(case)}; yours are {written(got)}.", expected, got)
    for at, (want, have) in enumerate(zip(expected, got, strict=True)):
        is_state = isinstance(want, str)
        if is_state and "state" not in fields:
            continue
        for field in ["state"] if is_state else [each for each in fields if each != "state"]:
            right = want if is_state else want[field]
            value = have.get(field) if isinstance(have, dict) else have
            if not equal(right, value):
                return _mismatch(case, at, field, right, value)
    return None


def _mismatch(case: Case, at: int, field: str, right: Any, value: Any) -> Mismatch:
    script = case["script"]
    before = ", ".join(_step(step) for step in script[max(0, at - BEFORE) : at]) or "nothing"
    what = _step(script[at], f" of {guard_of(case)}")
    sentence = f"Expected {what} {_done(field, right, 'to ')}; yours {_done(field, value, '')}."
    return Mismatch(f"{sentence} Before it: {'…, ' if at > BEFORE else ''}{before}.", right, value)


def _done(field: str, value: Any, to: str) -> str:
    """Return what a step does: "to ask for …" or, without `to`, "asks for …"."""
    ending = "" if to else "s"
    if field == "state":
        return f"{to}be {written(value)}" if to else f"is {written(value)}"
    if field == "asked":
        calls = [shown(each) for each in value] if isinstance(value, list) else [shown(value)]
        return f"{to}ask{ending} the store for {' and '.join(calls)}" if calls else f"{to}ask{ending} nobody"
    if isinstance(value, str) and value.startswith("raises "):
        return f"{to}raise{ending} {value.removeprefix('raises ')}"
    return f"{to}return{ending} {written(value)}"


def repair_of(case: Case) -> str:
    """Return the call of `repair` with its log and its store."""
    log = "; ".join(f"{row[0]} {row[1]} {row[2]} {row[4]} cents" for row in case["log"][:BEFORE]) or "no rows"
    more = f"; … {len(case['log'])} rows" if len(case["log"]) > BEFORE else ""
    without = f", no answer for {' and '.join(case['silent'])}" if case["silent"] else ""
    return f"repair(log, store, {case['most']}) with the log ({log}{more}) and limits {shown(case['limits'])}{without}"
