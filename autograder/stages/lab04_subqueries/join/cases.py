"""Seeded cases of `Join`, smallest first: rows [port, row] in the order of time, each with a number `id`.

Only `fields` has fields of different names and equal values of different types; only `fields` and `asked` have a
predicate that is false for some pairs.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.checks.two_sandboxes import in_two_sandboxes

LEFT, RIGHT = 0, 1


def windows(seed: str) -> list[Case]:
    """Return gaps at both ends of both windows, and windows of different lengths."""
    rng = random_for(seed, "windows")
    made = []
    for left_ms, right_ms in ((10, 5), (5, 10), (1, 1), (rng.randint(11, 40), rng.randint(2, 9))):
        for first, window_ms in ((LEFT, left_ms), (RIGHT, right_ms)):
            made += [_pair(left_ms, right_ms, first, gap_ms) for gap_ms in (window_ms - 1, window_ms)]
    longest = rng.randint(20, 50)
    return [*made, _case(longest, longest // 2, _rows(rng, 60, 300))]


def orders(seed: str) -> list[Case]:
    """Return left first, right first, and both at the same time in either order, also with several rows.

    Two cases have left rows that come again: as a result, and as an equal row.
    """
    rng = random_for(seed, "orders")
    made = [_pair(10, 10, first, gap_ms) for first in (LEFT, RIGHT) for gap_ms in (3, 0)]
    made += [{**_pair(10, 10, first, 3), "emits_time": True} for first in (LEFT, RIGHT)]
    made.append({**_case(10, 10, _numbered([(LEFT, 0), (RIGHT, 1), (RIGHT, 2)])), "emits_left": True})
    made.append(_case(10, 10, [[LEFT, _row(0, 0, k="a", c="")]] * 2 + [[RIGHT, _row(1, 1, k="a", c="")]]))
    same = [(port, 7) for port in (LEFT, RIGHT, LEFT, RIGHT, RIGHT)]
    return [*made, _case(5, 5, _numbered(same)), _case(21, 21, _rows(rng, 40, 100))]


def fields(seed: str) -> list[Case]:
    """Return fields of different names, several fields, groups, values that look alike or are equal, and no fields."""
    rng = random_for(seed, "fields")
    values: list[Any] = ["a", 1, 1.0, "1", None, "None", True, 0, ""]
    alike = [[number % 2, {"t": 1, "id": number, "v": 0, "k": k, "c": k}] for number, k in enumerate(values * 2)]
    made: list[Case] = [
        _case(9, 9, [[LEFT, _row(1, 0, k="a", c="x")], [RIGHT, _row(2, 1, k="b", c="a")]], on=[["k", "c"]]),
        _case(9, 9, [[LEFT, _row(1, 0, k="a", c="b")], [RIGHT, _row(2, 1, k="b", c="c")]], on=[["k", "c"]]),
        _case(9, 9, alike, on=[["k", "c"]]),
        _case(9, 9, alike, group_by=["k"]),
        _case(9, 9, alike),
        _case(9, 9, alike[:6], predicate=True),
        _case(9, 9, alike[:4], on=[["k", "k"], ["k", "c"]]),
    ]
    rows = [[port, {**row, "c": rng.choice("ab"), "g": rng.randrange(2)}] for port, row in _rows(rng, 60, 200)]
    for on, group_by in (([["k", "c"]], ["g"]), ([["k", "k"], ["c", "c"]], []), ([], ["g", "c"])):
        made.append(_case(41, 21, rows, on=on, group_by=group_by, predicate=True))
    return made


def asked(seed: str) -> list[Case]:
    """Return rows of many keys and long times, so that most pairs fit neither by field nor by time."""
    rng = random_for(seed, "asked")
    few = [[LEFT, _row(0, 0, k="a", c="")], [LEFT, _row(1, 1, k="b", c="")], [RIGHT, _row(3, 2, k="a", c="")]]
    late = [[LEFT, _row(0, 0, k="a", c="")], [RIGHT, _row(50, 1, k="a", c="")]]
    rows = _rows(rng, 120, 1500)
    return [
        _case(9, 9, few, on=[["k", "k"]], predicate=True),
        _case(9, 9, late, on=[["k", "k"]], predicate=True),
        _case(61, 31, rows, on=[["k", "k"]], predicate=True),
        _case(61, 31, rows, predicate=True),
    ]


def forgotten(seed: str) -> list[Case]:
    """Return many keys, each for a short time; after each row a new object continues, once in a new sandbox."""
    rng = random_for(seed, "forgotten")
    rows: list[Any] = []
    for number in range(300):
        rows.append([rng.randrange(2), _row(3 * number, number, k=f"key {number // 3}", c="")])
    last_ms = rows[-1][1]["t"]
    few = [[LEFT, _row(0, 0, k="a", c="")], [RIGHT, _row(3, 1, k="a", c="")]]
    right_rows = [[RIGHT, _row(3 * number, number, k=f"key {number}", c="")] for number in range(100)]
    made = [
        _case(9, 9, few, on=[["k", "k"]], new_objects=True),
        _case(1000, 9, right_rows, on=[["k", "k"]], new_objects=True),
        _case(31, 20, rows, on=[["k", "k"]], new_objects=True, until_ms=last_ms + 31),
        _case(20, 31, rows[:100], new_objects=True, until_ms=last_ms + 31),
    ]
    return [in_two_sandboxes(each, "rows", "joined") for each in made]


def _pair(left_ms: int, right_ms: int, first: int, gap_ms: int) -> Case:
    return _case(left_ms, right_ms, _numbered([(first, 4), (1 - first, 4 + gap_ms)]))


def _numbered(arrivals: list[tuple[int, int]]) -> list[Any]:
    return [[port, _row(t, number, k="a", c="")] for number, (port, t) in enumerate(arrivals)]


def _rows(rng: random.Random, count: int, span_ms: int) -> list[Any]:
    times = sorted(2 * rng.randrange(span_ms // 2) for _ in range(count))  # windows are odd: no gap is a window
    return [
        [rng.randrange(2), {**_row(t, at, k=rng.choice("abcd"), c=""), "v": rng.randint(0, 9)}]
        for at, t in enumerate(times)
    ]


def _row(t: int, number: int, k: Any, c: Any) -> dict[str, Any]:
    return {"t": t, "id": number, "k": k, "c": c, "v": 0}


def _case(left_ms: int, right_ms: int, rows: list[Any], **more: Any) -> Case:
    fields = {"on": more.pop("on", []), "group_by": more.pop("group_by", [])}
    return {"left_ms": left_ms, "right_ms": right_ms, **fields, "rows": rows, **more}
