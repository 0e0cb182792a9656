"""How the operations of a script are described, and compared one by one."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

OPERATIONS = ("get_many", "get", "forget", "ages")
BEFORE = 5  # operations that a message shows


def described(step: list[Any]) -> str:
    """Example: ["get", 0, ["device", "ann", "phone"]] -> "worker 0: get(device/ann/phone)"."""
    name, *arguments = step
    if name in ("get_many", "forget"):
        keys = ", ".join(map(_key, arguments[1][:3])) + (", …" if len(arguments[1]) > 3 else "")
        return f"worker {arguments[0]}: {name}([{keys}])"
    if name == "get":
        return f"worker {arguments[0]}: get({_key(arguments[1])})"
    if name == "change":
        return f"the row of {_key(arguments[0])} becomes {shown(arguments[1])}"
    return {"advance": f"{(arguments or [0])[0]:g} s pass", "pause": "Redis stops (SIGSTOP)"}.get(name) or {
        "kill": "Redis is killed (SIGKILL)",
        "resume": "Redis goes on (SIGCONT)",
    }.get(name, "the entries are looked at")


def _key(key: list[str]) -> str:
    return shown("/".join(key), 60)


def first_wrong(
    case: Case, expected: list[Any], rows: Rows, wrong: Callable[[list[Any], list[Any]], str | None]
) -> Mismatch | None:
    """The first operation of which `wrong(expected, got)` says something."""
    if rejected := must_answer("SharedCache(…)", "a cache", rows):
        return rejected
    got = rows.get("seen")
    if not isinstance(got, list) or len(got) != len(expected) or not all(map(_is_seen, got)):
        return Mismatch(
            f"Expected {len(expected)} operations of SharedCache to end; yours gave {shown(got)}.", None, got
        )
    steps = [at for at, step in enumerate(case["script"]) if step[0] in OPERATIONS]
    for at, want, came in zip(steps, expected, got, strict=True):
        if problem := wrong(want, came):
            before = "; ".join(map(described, case["script"][max(0, at - BEFORE) : at])) or "nothing"
            return Mismatch(f"Expected {described(case['script'][at])} {problem} Before it: {before}.", want, came)
    return None


def _is_seen(each: Any) -> bool:
    return isinstance(each, list) and len(each) == 3


def wrong_answer(want: list[Any], came: list[Any]) -> str | None:
    """The rows, or what `forget` returned; the ages of entries are judged elsewhere."""
    if type(want[0]) is int or (type(want[0]) is type(came[0]) and want[0] == came[0]):
        return None
    return f"to return {shown(want[0])}; yours returns {shown(came[0])}."


def wrong_calls(want: list[Any], came: list[Any]) -> str | None:
    """Rows, and the keys that the store was asked for."""
    if problem := wrong_answer(want, came):
        return problem
    if want[1] == came[1]:
        return None
    expected = f"to ask the store once, for {shown(want[1][0])}" if want[1] else "not to ask the store"
    return f"{expected}; yours asks {len(came[1]) if isinstance(came[1], list) else ''} times: {shown(came[1])}."


def wrong_tries(want: list[Any], came: list[Any]) -> str | None:
    """Rows, calls and round trips."""
    if problem := wrong_calls(want, came):
        return problem
    if type(came[2]) is int and came[2] <= want[2]:
        return None
    return f"to send something to Redis at most {want[2]} times; yours does {shown(came[2])} times."
