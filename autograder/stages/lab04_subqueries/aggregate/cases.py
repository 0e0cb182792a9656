"""Seeded cases of `window_starts`, `aggregate_function` and `Aggregate`, smallest first; rows in the order of time.

Only `sized` has windows of rows that several groups leave open, and of the cases of `window_starts` only `uneven` has
windows whose advance does not divide their size.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.checks.two_sandboxes import in_two_sandboxes

ALL = ["COUNT", "SUM", "MIN", "MAX", "AVG", "FIRST_VAL", "LAST_VAL"]
COUNT_AND_SUM = {"n": ["COUNT", "v"], "sum": ["SUM", "v"]}
EVERYTHING = {name.lower(): [name, "v"] for name in ALL}

# window_starts


def borders(seed: str) -> list[Case]:
    """Return positions around starts and ends of windows, including negative ones, and windows that do not overlap."""
    size = random_for(seed, "borders").randint(11, 99)
    return [
        {"window": ["time", 10, 10], "positions": [0, 9, 10]},
        {"window": ["time", 10, 5], "positions": [0, 4, 5, 9, 10, 30]},
        {"window": ["time", 10, 10], "positions": [-1, -10, -11]},
        {"window": ["time", 1, 1], "positions": [0, 1, -1]},
        {"window": ["size", 3, 3], "positions": [0, 2, 3]},
        {"window": ["size", 4, 2], "positions": [0, 1, 2, 3, 4]},
        {"window": ["time", 2 * size, size], "positions": [size - 1, size, 2 * size - 1, 2 * size, 3 * size]},
        {"window": ["time", 30_000, 30_000], "positions": [1000, 29_999, 30_000]},
        {"window": ["time", 10, 5], "positions": [2**60 + 3]},
    ]


def uneven(seed: str) -> list[Case]:
    """Return windows that overlap and whose advance need not divide their size."""
    rng = random_for(seed, "uneven")
    made: list[Case] = [
        {"window": ["time", 10, 4], "positions": [9]},
        {"window": ["time", 10, 4], "positions": [10, 11, 12]},
        {"window": ["size", 3, 2], "positions": [1, 2, 3, 4]},
        {"window": ["time", 7, 3], "positions": [-8, -1, 0, 6, 7]},
    ]
    for _ in range(6):
        size = rng.randint(5, 60)
        window = [rng.choice(["time", "size"]), size, rng.randint(1, size)]
        made.append({"window": window, "positions": sorted(rng.sample(range(200), 8))})
    return made


# aggregate_function


def values(seed: str) -> list[Case]:
    """Return zeros, also first and last, only negative numbers, large ones, a single value, fractions, and None."""
    rng = random_for(seed, "values")
    some = [[5, -3, 8, 0], [0, 5], [7], [-2, -9, -4], [0, 0, 0], [3, 3, 1], [0.5, -0.25, 4.0]]
    some += [[-(10**13), -(10**14)], [10**13, 10**14]]
    some.append([rng.randint(-99, 99) for _ in range(rng.randint(10, 20))])
    made: list[Case] = [{"name": name, "values": each} for each in some for name in ALL]
    anything: list[list[Any]] = [[None, 4, None], ["b", None, "a"], ["", "a"]]
    return [
        *made,
        *({"name": name, "values": each} for each in anything for name in ("COUNT", "FIRST_VAL", "LAST_VAL")),
    ]


# Aggregate


def sized(seed: str) -> list[Case]:
    """Return windows of rows in several groups, some of them never full; the last row of a window closes it."""
    rng = random_for(seed, "sized")
    five = [{"t": 10 * at, "k": "a", "v": at} for at in range(1, 6)]
    mixed = [{"t": at, "k": "ab"[at % 2], "v": at} for at in range(9)]
    made = [
        _case(["size", 2, 2], five[:3], COUNT_AND_SUM),
        _case(["size", 3, 2], five, {"sum": ["SUM", "v"], "first": ["FIRST_VAL", "v"], "avg": ["AVG", "v"]}),
        _case(["size", 3, 2], mixed, COUNT_AND_SUM),
        _case(["size", 1, 1], five[:2], COUNT_AND_SUM),
        _case(["size", 1, 1], [{"t": -5, "k": "a", "v": 1}], COUNT_AND_SUM),
        _case(["size", 9, 1], five, COUNT_AND_SUM),
        _case(["size", 3, 3], [{"t": 7, "k": "a", "v": at} for at in range(7)], COUNT_AND_SUM),
    ]
    for size in (4, 7):
        rows = _rows(rng, 60, 500, ["a", "b", "c"])
        made.append(_case(["size", size, rng.randint(1, size)], rows, EVERYTHING))
    return made


def grouped(seed: str) -> list[Case]:
    """Return groups whose values look alike, with several fields, with none, and with None as a value."""
    rng = random_for(seed, "grouped")
    alike: list[dict[str, Any]] = [{"t": 1, "k": 1, "v": 5}, {"t": 2, "k": "1", "v": 7}, {"t": 3, "k": 1, "v": 11}]
    pairs = [("a", "b c"), ("a b", "c"), ("a", "b c"), ("", "a b c"), (None, "None"), ("None", None)]
    two = [{"t": at, "k": k, "g": g, "v": at} for at, (k, g) in enumerate(pairs)]
    made = [
        _case(["time", 10, 10], [{"t": 1, "k": "a", "v": 5}, {"t": 2, "k": "b", "v": 7}], COUNT_AND_SUM),
        _case(["time", 10, 10], alike, COUNT_AND_SUM),
        _case(["time", 10, 10], [{"t": 1, "k": 1.5, "v": 5}, {"t": 2, "k": 1.25, "v": 7}], COUNT_AND_SUM),
        _case(["time", 10, 5], two, COUNT_AND_SUM, ["k", "g"]),
        _case(["time", 10, 5], two, COUNT_AND_SUM, ["g", "k"]),
        _case(["time", 10, 5], two, COUNT_AND_SUM, []),
        _case(["time", 10, 10], [{"t": 1, "k": None, "v": 5}, {"t": 2, "k": "", "v": 6}], COUNT_AND_SUM),
    ]
    rows = [{**row, "g": rng.randrange(3)} for row in _rows(rng, 80, 300, [*"abcd", None])]
    return [*made, _case(["time", 40, 20], rows, EVERYTHING, ["g", "k"])]


def closing(seed: str) -> list[Case]:
    """Return rows at, before and after the ends of windows, empty windows, times before 0, the end of time, None."""
    rng = random_for(seed, "closing")
    visits: list[tuple[int, str]] = [(1000, "a"), (12_000, "b"), (29_999, "a"), (30_000, "a")]
    functions = {"count": ["COUNT", "k"], "first": ["FIRST_VAL", "t"], "last": ["LAST_VAL", "t"]}
    ends = {"n": ["COUNT", "v"], "first": ["FIRST_VAL", "v"], "last": ["LAST_VAL", "v"]}
    times = ([0, 9, 10], [9, 10, 10, 10, 11], [-1, 0, 9, 10, 30], [5, 95], [3, 3, 3])
    made = [
        _case(["time", 10, 10], [{"t": 1, "k": "a", "v": 5}, {"t": 10, "k": "a", "v": 7}], COUNT_AND_SUM),
        _case(["time", 30_000, 30_000], [{"t": t, "k": k, "v": 0} for t, k in visits], functions),
        _case(["time", 10, 4], [{"t": 1, "k": "a", "v": 5}, {"t": 9, "k": "a", "v": 7}], COUNT_AND_SUM),
        _case(["time", 10, 10], [{"t": 1, "k": "a", "v": 5, "w": 7}], {"v": ["SUM", "v"], "w": ["SUM", "w"]}),
        _case(["time", 10, 10], [{"t": 1, "k": "a", "v": None}], ends),
        _case(["time", 10, 4], [{"t": 1, "k": "a", "v": None}, {"t": 9, "k": "a", "v": 4}], ends),
        *(
            _case(["time", 10, advance], [{"t": t, "k": "a", "v": at} for at, t in enumerate(some)], COUNT_AND_SUM)
            for some in times
            for advance in (10, 3)
        ),
        _case(["time", 10, 10], [{"t": 4, "k": "a", "v": 1}], COUNT_AND_SUM, until_ms=9),
        _case(["time", 10, 10], [{"t": 4, "k": "a", "v": 1}], COUNT_AND_SUM, until_ms=10),
    ]
    size = rng.randint(20, 60)
    rows = _rows(rng, 60, 400, ["a", "b"])
    return [*made, _case(["time", size, rng.randint(5, size)], rows, EVERYTHING)]


def counted(seed: str) -> list[Case]:
    """Return many rows in each part of a window, and many windows per row."""
    rng = random_for(seed, "counted")
    functions = {"sum": ["SUM", "v"], "max": ["MAX", "v"]}
    windows = [(["time", 60, 60], 40), (["time", 60, 10], 300), (["time", 100, 4], 400), (["time", 60, 45], 300)]
    return [_case(window, _rows(rng, rows, 200, ["a"]), functions, counted=True) for window, rows in windows]


def states(seed: str) -> list[Case]:
    """Return cases in which a new object with a copy of the state continues after each row, once in a new sandbox."""
    rng = random_for(seed, "states")
    few = [{"t": at, "k": "a", "v": at} for at in (1, 2, 12)]
    made = [
        _case(["time", 10, 10], few, COUNT_AND_SUM, new_objects=True),
        _case(["size", 2, 1], few, COUNT_AND_SUM, new_objects=True),
        _case(["time", 30, 8], _rows(rng, 50, 200, ["a", "b"]), EVERYTHING, new_objects=True),
        _case(["size", 5, 3], _rows(rng, 50, 200, ["a", "b"]), EVERYTHING, new_objects=True),
    ]
    return [in_two_sandboxes(each, "rows", "answers") for each in made]


def forgotten(seed: str) -> list[Case]:
    """Return many groups, each of which occurs for a short time or fills its windows of rows, and one of many rows.

    A new object continues after each row, in the middle in a new sandbox. Of one stream, about ten rows are needed at
    any time, and at least one until the end (in windows of time).
    """
    rng = random_for(seed, "forgotten")
    made, many = [], rng.randint(450, 550)
    for groups, window in ((20, ["time", 10, 10]), (many, ["time", 200, 50]), (many, ["time", 40, 25])):
        times = sorted(rng.randrange(20 * groups) for _ in range(groups))
        rows = [{"t": t, "k": f"key {at}", "v": at} for at, t in enumerate(times)]
        made.append(_case(window, rows, COUNT_AND_SUM))
    size = rng.randint(2, 4)
    full = [{"t": at, "k": f"key {at % 100}", "v": at} for at in range(100 * size * rng.randint(1, 2))]
    one = [{"t": at, "k": "a", "v": at} for at in range(500)]
    made.append(_case(["size", size, size], full, COUNT_AND_SUM))
    made.append(_case(["size", 4, 2], one, COUNT_AND_SUM))
    return [in_two_sandboxes({**each, "new_objects": True}, "rows", "answers") for each in made]


def _case(
    window: list[Any],
    rows: list[dict[str, Any]],
    functions: dict[str, list[str]],
    group_by: list[str] | None = None,
    **more: Any,
) -> Case:
    fields = ["k"] if group_by is None else group_by
    return {"group_by": fields, "window": window, "functions": functions, "rows": rows, **more}


def _rows(rng: random.Random, count: int, span_ms: int, keys: list[Any]) -> list[dict[str, Any]]:
    """Return rows at any times, some of them at the same time."""
    times = sorted(rng.randrange(span_ms) for _ in range(count))
    return [{"t": t, "k": rng.choice(keys), "v": rng.randint(-50, 50)} for t in times]
