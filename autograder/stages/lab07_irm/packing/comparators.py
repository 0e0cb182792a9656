"""Describes scripts of `FirstFit`, and checks whether the workers of a turn are those of First-Fit."""

import math
from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown

BEFORE = 6  # calls that a message shows


def call_of(step: list[Any]) -> str:
    """Return a call as text: 'place("a", 600)'."""
    name, *arguments = step
    return f"{name}({', '.join(map(shown, arguments))})"


def story(script: list[Any], at: int) -> str:
    """Return the end of a message: the calls before one."""
    before = ", ".join(call_of(step) for step in script[max(0, at - BEFORE) : at]) or "nothing"
    return f"Before it: {'…, ' if at > BEFORE else ''}{before}."


def first_wrong_step(case: Case, expected: list[Any], rows: Rows, fields: tuple[str, ...]) -> Mismatch | None:
    """Return the first call after which one of the fields (answer, free, used) differs."""
    got = rows.get("steps")
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers of FirstFit({case['capacity']}); yours are {shown(rows)}.")
    for at, (want, row) in enumerate(zip(expected, got, strict=True)):
        for field in fields:
            value = row.get(field) if isinstance(row, dict) else row
            if not equal(want[field], value):
                what = _expected(call_of(case["script"][at]), field, want[field])
                sentence = f"Expected {what}; yours {_actual(field, value)}. {story(case['script'], at)}"
                return Mismatch(sentence, want[field], value)
    return None


def _expected(call: str, field: str, value: Any) -> str:
    if field == "answer":
        return f"{call} to raise {value}" if isinstance(value, str) else f"{call} to return {shown(value)}"
    return f"{'free()' if field == 'free' else 'used'} after {call} to be {shown(value)}"


def _actual(field: str, value: Any) -> str:
    return f"raises {value}" if field == "answer" and isinstance(value, str) else f"gives {shown(value)}"


def without_its_reason(case: Case, rows: Rows) -> Mismatch | None:
    """Return a ValueError of `place` whose text lacks engine, size or capacity."""
    for at, (step, row) in enumerate(zip(case["script"], rows["steps"], strict=True)):
        if step[0] == "place" and row["answer"] == "ValueError":
            missing = [each for each in (step[1], str(step[2]), str(case["capacity"])) if each not in row["text"]]
            if missing:
                what = f"the ValueError of {call_of(step)} to name the engine, its size and the capacity"
                return Mismatch(
                    f"Expected {what}; yours lacks {missing[0]}: {shown(row['text'])}. {story(case['script'], at)}"
                )
    return None


def most_comparisons(case: Case, workers: list[int]) -> int:
    """Return how many comparisons of sizes the task allows for a script with `workers` as its right answers."""
    used = max(2, 1 + max(workers))
    return len(case["script"]) * (2 * math.ceil(math.log2(used)) + 6)


def first_wrong_worker(content: bytes, got: Any) -> Mismatch | None:
    """Return the first line of a turn whose worker is not First-Fit's, or not the one that the engine is on."""
    lines = content.decode("ascii").splitlines()
    if not isinstance(got, list) or len(got) != len(lines):
        return Mismatch(f"Expected {len(lines)} workers; yours are {shown(got)}.")
    free, where = list[int](), dict[str, tuple[int, int]]()
    for at, (line, worker) in enumerate(zip(lines, got, strict=True)):
        engine, _, text = line.partition(" ")
        if type(worker) is not int or not 0 <= worker <= len(free):
            return Mismatch(f"Expected the number of a worker for line {at} ({line}); yours is {shown(worker)}.")
        if not text and worker != where[engine][0]:
            return Mismatch(f"Expected {engine} to leave worker {where[engine][0]}; yours leaves {worker}.")
        size = int(text) if text else -where[engine][1]
        free += [1000] if worker == len(free) else []
        if text and (free[worker] < size or max(free[:worker], default=0) >= size):
            return Mismatch(f"Expected {engine} of size {size} on the first worker with room; yours is {worker}.")
        free[worker] -= size
        where[engine] = worker, size
    return None
