"""Seeded cases of `Panes` and `add_row`, smallest first.

A call of `Panes` is ["add", group, position, value, value] or ["close", group, start]. Only `adding` has values in the
same pane that must be counted as one; its calls close nothing. A case of `add_row` names the group of each row.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Call = list[Any]

# Panes


def adding(seed: str) -> list[Case]:
    """Return values at the borders of panes, below 0, far ahead, and in two groups; no window closes."""
    rng = random_for(seed, "adding")
    made = [
        _added(["time", 10, 4], [1, 9]),
        _added(["time", 10, 4], [0, 1, 2, 3, 4, 8]),
        _added(["time", 10, 10], [0, 9, 10, 10, 19]),
        _added(["time", 10, 10], [2**60 + 129]),
        _in_turns(),
        _latest([[0, 0], [1, 5]]),
        _added(["time", 6, 3], [-4, -3, -1, 0, 2, 3]),
        _added(["size", 3, 2], [0, 1, 2, 3]),
        _added(["size", 4, 2], [0, 1, 2, 3]),
    ]
    for kind in ("time", "size"):
        unit = rng.randint(2, 9)
        window = [kind, unit * rng.choice([5, 7]), unit * rng.choice([2, 3])]
        made.append(_added(window, sorted(rng.randrange(99) for _ in range(20))))
    return made


def closing(seed: str) -> list[Case]:
    """Return windows that overlap or not, with empty panes between values, None, and two groups."""
    rng = random_for(seed, "closing panes")
    made = [
        _closed(["time", 10, 4], [1, 9]),
        _latest([[1, 4], [9, None]], ["close", "a", 0]),
        _closed(["time", 10, 10], [0, 9, 10, 25]),
        _closed(["time", 10, 5], [0, 4, 5, 14, 31]),
        _closed(["time", 7, 3], [-8, -1, 0, 6, 7]),
        _closed(["size", 3, 2], list(range(7))),
        _closed(["size", 2, 2], list(range(4))),
    ]
    for _ in range(4):
        unit = rng.randint(1, 6)
        size = unit * rng.randint(2, 7)
        window = ["time", size, unit * rng.randint(1, size // unit)]
        made.append(_closed(window, sorted(rng.randrange(120) for _ in range(20))))
    return made


def _in_turns() -> Case:
    """Return the rows of two groups, of which each has its own numbers."""
    calls = [["add", group, at, at + 1, at] for group, at in zip("aaaba", [0, 1, 2, 0, 3], strict=True)]
    return {"window": ["size", 4, 2], "calls": calls}


def _latest(values: list[Any], *more: Call) -> Case:
    """Return values for a function whose partial result is the latest value itself, also 0 or None."""
    calls = [["add", "a", at, value] for at, value in values]
    return {"window": ["time", 10, 4], "latest": True, "calls": [*calls, *more]}


def _added(window: list[Any], positions: list[int]) -> Case:
    return {"window": window, "calls": [call for call in _closed(window, positions)["calls"] if call[0] == "add"]}


def _closed(window: list[Any], positions: list[int]) -> Case:
    """Return a call for each position, each after those for the windows that ended before it; every third is of b."""
    kind, size, advance = window
    calls: list[Call] = []
    lowest = min(positions) - (min(positions) % advance) - size // advance * advance
    open_starts = [start for start in range(lowest, max(positions) + 1, advance) if kind == "time" or start >= 0]
    seen: dict[str, list[int]] = {"a": [], "b": []}
    for number, at in enumerate([*positions, max(positions) + size + advance]):
        for start in [start for start in open_starts if start + size <= at]:
            open_starts.remove(start)
            holding = [name for name in seen if any(start <= each < start + size for each in seen[name])]
            calls += [["close", name, start] for name in holding]
        if number < len(positions):
            group = "b" if number % 3 == 2 else "a"
            seen[group].append(at)
            calls.append(["add", group, at, number + 1, at])
    return {"window": window, "calls": calls}


# add_row


def counted(seed: str) -> list[Case]:
    """Return windows of rows that overlap, and rows of several groups in turns; others end with their first window.

    Some have `results`, which every call of `close` returns.
    """
    rng = random_for(seed, "counted rows")
    made = [
        {"window": [3, 2], "groups": ["a"] * 7},
        {"window": [2, 2], "groups": ["a"] * 2},
        {"window": [2, 1], "groups": ["a"] * 3, "results": [0]},
        {"window": [2, 1], "groups": ["a"] * 3, "results": [None]},
        {"window": [5, 1], "groups": ["a"] * 7},
        {"window": [3, 2], "groups": ["a", "b"] * 4},
        {"window": [1, 1], "groups": ["a"]},
    ]
    return [*made, *({"window": _overlapping(rng), "groups": rng.choices("abc", k=40)} for _ in range(3))]


def tumbling(seed: str) -> list[Case]:
    """Return windows that do not overlap, several of them for each group, and some that never get full."""
    rng = random_for(seed, "tumbling rows")
    made = [
        {"window": [2, 2], "groups": ["a"] * 5},
        {"window": [1, 1], "groups": ["a"] * 3},
        {"window": [3, 3], "groups": ["a", "b"] * 5},
        {"window": [3, 2], "groups": ["a"] * 6},
    ]
    size = rng.randint(2, 5)
    return [*made, {"window": [size, size], "groups": rng.choices("abc", k=40)}]


def _overlapping(rng: random.Random) -> list[int]:
    size = rng.randint(3, 7)
    return [size, rng.randint(1, size - 1)]
