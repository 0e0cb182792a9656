"""Seeded cases of `Watch` and `in_order`, smallest first.

A fence is a list of longitudes here, as in its stub. No mover has two positions of the same time where the second one
has the lower offset: calls come in the order of `in_order`.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.checks.two_sandboxes import in_two_sandboxes

Call = list[Any]

# Watch


def _move(mover: str, time_ms: int, lon: float) -> Call:
    return ["move", mover, time_ms, lon]


def _change(fence: str, time_ms: int, longitudes: list[int] | None) -> Call:
    return ["change", fence, time_ms, longitudes]


def _watch(*calls: Call, resume_every: int = 0) -> Case:
    return {"calls": list(calls), "resume_every": resume_every}


A, B = _change("a", 0, [1, 2]), _change("b", 0, [3])


def followed(seed: str) -> list[Case]:
    """Return movers that go in, on, out, over to the next fence and back, with fences apart and without any fence."""
    rng = random_for(seed, "followed")
    one = [_move("m", 10 * at, lon) for at, lon in enumerate((0, 1, 2, 1, 0, 0, 2))]
    other = [_move("m", 0, 1), _move("n", 0, 3), _move("m", 7, 3), _move("n", 8, 1), _move("m", 9, 1), _move("n", 9, 5)]
    alike = [_change("m", 0, [1]), _move("m", 1, 1), _move("a", 1, 0), _move("m", 2, 0), _move("a", 3, 1)]
    many = [_move(rng.choice("mnopq"), at, rng.randint(0, 4)) for at in range(60)]
    return [
        _watch(A, *one),
        _watch(A, B, *other),
        _watch(*one),
        _watch(*alike),
        _watch(A, B, *many),
    ]


def overlapping(seed: str) -> list[Case]:
    """Return places in two, three and many fences; a move leaves some, enters some and stays in others."""
    rng = random_for(seed, "overlapping")
    two = [_change("a", 0, [1, 2]), _change("b", 0, [1, 3]), _change("c", 0, [1, 2, 3])]
    few = [_move("m", 10 * at, lon) for at, lon in enumerate((1, 1, 2, 3, 4, 1))]
    fences = [_change(f"f{at}", at, rng.sample(range(9), 5)) for at in range(12)]
    moves = [_move(rng.choice("mno"), 100 + at, rng.randint(0, 9)) for at in range(40)]
    return [_watch(*two, *few), _watch(*fences, *moves)]


def changed(seed: str) -> list[Case]:
    """Return fences that are added, replaced, deleted and added again while movers stand still.

    Some deleted fences are unknown.
    """
    rng = random_for(seed, "changed")
    stand = [_move("m", 0, 1), _move("n", 0, 2), _move("o", 0, 3)]
    small = [_move("m", 0, 1), _change("a", 10, [1, 2]), _change("a", 20, [2]), _change("a", 30, None)]
    replaced = [_change("a", 10, [1, 2]), _change("a", 20, [2, 3]), _change("a", 30, [2, 3]), _change("a", 40, [4])]
    deleted = [_change("a", 10, None), _change("a", 20, [1]), _change("a", 20, None), _change("a", 30, None)]
    again = [_change("a", 40, [1, 3]), _move("m", 50, 1), _move("m", 60, 2), _change("b", 60, [2]), _move("m", 70, 2)]
    last = [_move("o", 5, 2), _change("a", 10, [2]), _change("b", 10, [2, 3]), _change("a", 20, [3])]
    early = [_change("a", 0, [1]), _change("a", 0, None), *stand, _change("b", 2, [1])]
    return [
        _watch(*small),
        _watch(*stand, *replaced),
        _watch(*stand, *deleted, *again),
        _watch(*stand, *last),
        _watch(*early),
        _watch(*_mixed(rng, 80)),
    ]


def repeated(seed: str) -> list[Case]:
    """Return positions that come again, at another place with the same time, or with an older time, and newer ones."""
    at = random_for(seed, "repeated").randint(50, 90)
    moved = [A, B, _move("m", 20, 1)]
    older = [_move("m", 10, 3), _move("m", 0, 0), _move("m", 20, 3), _move("m", 19, 1)]
    newer = [_move("m", 21, 2), _move("m", at, 3), _move("m", at - 1, 1), _move("m", at + 1, 3)]
    return [
        _watch(*moved, _move("m", 20, 1), _move("m", 10, 3), _move("m", 30, 1)),
        _watch(*moved, *older, *newer),
        _watch(*moved, *older, _change("c", 30, [1]), _change("d", 30, [0, 3]), _move("n", 30, 3), _move("m", 31, 1)),
        _watch(B, _move("m", 20, 1), *older, _change("a", 25, [1]), _move("m", 26, 0)),
    ]


def resumed(seed: str) -> list[Case]:
    """Return calls between which the state is pickled and read: after each, every second or every seventh one.

    In the middle, a Watch in a new sandbox continues.
    """
    rng = random_for(seed, "resumed")
    small = [A, _move("m", 10, 1), _move("m", 20, 2), _change("a", 30, [1]), _move("m", 40, 1), _change("a", 50, None)]
    made = [
        _watch(*small, resume_every=1),
        _watch(_move("m", 10, 1), _change("c", 20, [1]), resume_every=1),
        _watch(_move("m", 20, 1), _move("m", 10, 3), _change("c", 30, [1]), resume_every=1),
        _watch(*_mixed(rng, 60), resume_every=1),
        *(_watch(*_mixed(rng, 60), resume_every=every) for every in (2, 7)),
    ]
    return [in_two_sandboxes(each, "calls", "events") for each in made]


def _mixed(rng: random.Random, count: int) -> list[Call]:
    """Return moves and changes of few movers and fences, each at a later time."""
    calls = [_change("a", 0, [0, 1]), _change("b", 0, [1, 2])]
    for time_ms in range(1, count + 1):
        if rng.random() < 0.7:
            calls.append(_move(rng.choice("mnop"), time_ms, rng.randint(0, 4)))
        else:
            longitudes = None if rng.random() < 0.25 else rng.sample(range(5), rng.randint(1, 3))
            calls.append(_change(rng.choice("abc"), time_ms, longitudes))
    return calls


# in_order


def _position(name: str, time_ms: int, offset: int) -> Call:
    return ["position", name, time_ms, offset]


def _fence(name: str, time_ms: int, offset: int) -> Call:
    return ["change", name, time_ms, offset]


def _ordered(arrived: list[Call], done_ms: int, watermark_ms: int, waiting: list[Call] | None = None) -> Case:
    return {"waiting": waiting or [], "done_ms": done_ms, "calls": [{"arrived": arrived, "watermark_ms": watermark_ms}]}


def sorted_rows(seed: str) -> list[Case]:
    """Return rows of several times, changes and positions of the same time, and offsets with two digits."""
    rng = random_for(seed, "sorted rows")
    few = [_position("b", 52, 0), _fence("g", 52, 9), _position("a", 51, 3), _fence("f", 52, 2), _position("c", 52, 10)]
    digits = [_position("a", 9, 100), _position("b", 10, 99), _position("c", 9, 20), _fence("f", 10, 100)]
    many = _rows(rng, 40, 1, 8)
    return [
        _ordered(few[:3], 0, 60),
        _ordered(few, 50, 60),
        _ordered(digits, -1, 10),
        _ordered(few[1:], 50, 60, waiting=few[:1]),
        _ordered(many[:30], 0, 9, waiting=many[30:]),
    ]


def beyond(seed: str) -> list[Case]:
    """Return rows before, at and after the watermark, of both kinds; some have waited, or nothing arrives."""
    rng = random_for(seed, "beyond")
    edge = [each for at in (59, 60, 61) for each in (_position(f"p{at}", at, at), _fence(f"f{at}", at, at))]
    waiting = [_position("w", 55, 1), _fence("v", 60, 2), _position("x", 61, 3), _fence("y", 99, 4)]
    return [
        _ordered([_position("a", 60, 0), _position("b", 61, 1)], 50, 60),
        _ordered(edge, 50, 60),
        _ordered([], 50, 60, waiting=waiting),
        _ordered(edge, 50, 60, waiting=waiting),
        _ordered([], 50, 60),
        _ordered(edge, 50, 50),
        _ordered(_rows(rng, 30, 51, 70), 50, 60),
    ]


def late(seed: str) -> list[Case]:
    """Return rows before, at and after the finished time, of both kinds, with several late changes."""
    rng = random_for(seed, "late")
    example = [
        _position("a", 50, 0),
        _position("b", 51, 1),
        _fence("f", 20, 0),
        _fence("g", 52, 1),
        _position("c", 52, 2),
        _position("d", 70, 3),
    ]
    changes = [_fence("f", 40, 7), _fence("g", 10, 8), _fence("h", 50, 6), _fence("i", 51, 5), _position("e", 49, 9)]
    begin = [_position("a", 0, 0), _fence("f", 0, 1), _position("b", 1, 2)]
    return [
        _ordered([_position("a", 50, 0), _fence("f", 20, 0), _position("b", 51, 1)], 50, 60),
        _ordered(example, 50, 60, waiting=[_position("w", 55, 9)]),
        _ordered(changes, 50, 60),
        _ordered(changes, 50, 50),
        _ordered(begin, -1, 0),
        _ordered(begin, 0, 0),
        _ordered(_rows(rng, 30, 30, 70), 50, 60),
    ]


def sequences(seed: str) -> list[Case]:
    """Return thirty sequences of five calls whose last call reaches every row.

    Some rows are equal.
    """
    rng = random_for(seed, "sequences")
    first = [_position("a", 5, 0), _fence("f", 25, 0), _position("a", 5, 0)]
    second = [_position("b", 5, 1), _fence("g", 5, 1), _position("c", 30, 2)]
    small = _sequence([first, second], [10, 40])
    return [small, *(_drawn(rng) for _ in range(30))]


def _drawn(rng: random.Random) -> Case:
    arrivals = [_rows(rng, 8, 40 * at, 40 * at + 90) for at in range(4)]
    again = [rng.choice(rows) for rows in arrivals]
    return _sequence([*([*rows, each] for rows, each in zip(arrivals, again, strict=True)), []], [40, 80, 80, 120, 999])


def _sequence(arrivals: list[list[Call]], watermarks_ms: list[int]) -> Case:
    pairs = zip(arrivals, watermarks_ms, strict=True)
    return {"waiting": [], "done_ms": 0, "calls": [{"arrived": rows, "watermark_ms": at} for rows, at in pairs]}


def _rows(rng: random.Random, count: int, from_ms: int, to_ms: int) -> list[Call]:
    """Return rows of any times; no two positions and no two changes have the same offset."""
    offsets = rng.sample(range(1000), count)
    kinds = (_position, _position, _fence)
    return [rng.choice(kinds)(rng.choice("abcd"), rng.randint(from_ms, to_ms), each) for each in offsets]
