"""Describes the operations of a script and compares their results one by one."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown
from autograder.checks.rejection import must_answer

OPERATIONS = ("get_many", "get", "forget", "ages")
BEFORE = 5  # operations that a message shows


def described(step: list[Any]) -> str:
    """Return a step as words: "worker 0: get(device/ann/phone)"."""
    name, *arguments = step
    if name in ("get_many", "forget"):
        keys = ", ".join(map(_key, arguments[1][:3])) + (", …" if len(arguments[1]) > 3 else "")
        return f"worker {arguments[0]}: {name}([{keys}])"
    if name == "get":
        return f"worker {arguments[0]}: get({_key(arguments[1])})"
    if name == "change":
        return f"the row of {_key(arguments[0])} becomes {shown(arguments[1])}"
    return {"advance": f"{(arguments or [0])[0]:g} s pass", "pause": "Redis stops (SIGSTOP)"}.get(name) or {
        "flush": "Redis is emptied",
        "kill": "Redis is killed (SIGKILL)",
        "resume": "Redis resumes (SIGCONT)",
    }.get(name, "the ages of the entries are read")


def _key(key: list[str]) -> str:
    return shown("/".join(key), 60)


def first_wrong(
    case: Case, expected: list[Any], rows: Rows, wrong: Callable[[list[Any], list[Any]], str | None]
) -> Mismatch | None:
    """Return the first operation for which `wrong(expected, got)` returns a problem."""
    if rejected := must_answer("SharedCache(…)", "a cache", rows):
        return rejected
    got = rows.get("seen")
    if not isinstance(got, list) or len(got) != len(expected) or not all(map(_is_seen, got)):
        return Mismatch(
            f"Expected the results of {len(expected)} operations of SharedCache; yours are {shown(got)}.", None, got
        )
    steps = [at for at, step in enumerate(case["script"]) if step[0] in OPERATIONS]
    for at, want, answer in zip(steps, expected, got, strict=True):
        if problem := wrong(want, answer):
            before = "; ".join(map(described, case["script"][max(0, at - BEFORE) : at])) or "nothing"
            return Mismatch(f"Expected {described(case['script'][at])} {problem} Before it: {before}.", want, answer)
    return None


def _is_seen(each: Any) -> bool:
    return isinstance(each, list) and len(each) == 3


def wrong_answer(want: list[Any], answer: list[Any]) -> str | None:
    """Compare the rows, or the result of `forget`. The ages of entries are judged elsewhere."""
    if type(want[0]) is int or equal(want[0], answer[0]):
        return None
    return f"to return {shown(want[0])}; yours returns {shown(answer[0])}."


def wrong_calls(want: list[Any], answer: list[Any]) -> str | None:
    """Compare rows, and the keys requested from the store."""
    if problem := wrong_answer(want, answer):
        return problem
    if equal(want[1], answer[1]):
        return None
    expected = f"to ask the store once, for {shown(want[1][0])}" if want[1] else "not to ask the store"
    return f"{expected}; yours asks {len(answer[1]) if isinstance(answer[1], list) else ''} times: {shown(answer[1])}."


def wrong_tries(want: list[Any], answer: list[Any]) -> str | None:
    """Compare rows, calls and round trips."""
    if problem := wrong_calls(want, answer):
        return problem
    if type(answer[2]) is int and answer[2] <= want[2]:
        return None
    trips = f"{want[2]} round trip{'s' if want[2] != 1 else ''}"
    return f"to make at most {trips} to Redis; yours makes {shown(answer[2])}."
