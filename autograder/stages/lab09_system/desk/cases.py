"""Seeded cases of `Desk`: batches of rows with their watermarks.

A row is ["shop", name, time in ms, offset, corners or None], ["phone", account, time, offset, lon, lat], or
["pays", account, time, offset, id, cents, shop, limit or None]. No row is older than the watermark before its batch.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Row = list[Any]
MINUTE_MS, RICH = 60_000, 10**9
FAR_MS = 1_000_000
OUTSIDE = (9, 2)


def square(west: float, south: float = 0, side: float = 4) -> list[list[float]]:
    """Return the corners of a square, counterclockwise and closed."""
    east, north = west + side, south + side
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def shop(name: str, time_ms: int, corners: list[list[float]] | None, offset: int = 0) -> Row:
    """Return a shop that opens, moves, or (None) closes."""
    return ["shop", name, time_ms, offset, corners]


def phone(account: str, time_ms: int, lon: float, lat: float, offset: int = 1) -> Row:
    """Return the position of an account's phone."""
    return ["phone", account, time_ms, offset, lon, lat]


def pays(account: str, time_ms: int, one: str, cents: int = 500, at: str = "s", **more: Any) -> Row:
    """Return a payment with an id; by default its account has a limit that no case reaches."""
    return ["pays", account, time_ms, more.get("offset", time_ms), one, cents, at, more.get("limit", RICH)]


def _case(*batches: tuple[list[Row], int], resumes: bool = False, own: str = "") -> Case:
    return {"batches": [{"rows": rows, "watermark_ms": at} for rows, at in batches], "resumes": resumes, "own": own}


def _at_once(*rows: Row) -> Case:
    return _case((list(rows), FAR_MS))


S = shop("s", 0, square(0))


def away(seed: str) -> list[Case]:
    """Return phones outside, inside and on the edge, of shops that move, close or do not exist; each is fresh."""
    rng = random_for(seed, "away")
    edges = [(4, 2), (4, 4), (0, 0), (2, 2), (4.0000001, 2)]
    moves = [phone("a", 1, 2, 2), pays("a", 2, "p"), shop("s", 3, square(6)), pays("a", 4, "q")]
    closed = [
        phone("a", 1, *OUTSIDE),
        shop("s", 2, None),
        pays("a", 3, "p"),
        shop("s", 4, square(5)),
        pays("a", 5, "q"),
    ]
    other = [phone("a", 1, *OUTSIDE), phone("b", 1, 2, 2), pays("a", 2, "p"), pays("b", 3, "q")]
    two = [
        shop("t", 0, square(3)),
        phone("a", 1, 3.5, 2),
        *(pays("a", 2 + at, name, at=name) for at, name in enumerate("st")),
    ]
    left = [
        shop("t", 0, square(3)),
        phone("a", 1, 3.5, 2),
        phone("a", 2, 6, 2),
        pays("a", 3, "p"),
        pays("a", 4, "q", at="t"),
    ]
    return [
        _at_once(S, phone("a", 5, *OUTSIDE), pays("a", 7, "p")),
        *(_at_once(S, phone("a", 5, *place), pays("a", 7, "p")) for place in edges),
        _at_once(S, phone("a", 5, *OUTSIDE), pays("a", 7, "p", at="nowhere")),
        _at_once(S, pays("a", 7, "p"), phone("a", 8, *OUTSIDE)),
        *(_at_once(S, *rows) for rows in (moves, [*moves, shop("s", 5, square(1)), pays("a", 6, "r")], closed, other)),
        *(_at_once(S, *rows) for rows in (two, left)),
        _at_once(*_walks(rng, 60, step_ms=400, edges=True)),
    ]


def stale(seed: str) -> list[Case]:
    """Return payments a minute after the phone's position, a millisecond later, and much later."""
    rng = random_for(seed, "stale")
    seen, late = phone("a", 5, *OUTSIDE), pays("a", 5 + MINUTE_MS + 1, "late")
    return [
        _at_once(S, seen, late),
        _at_once(S, seen, pays("a", 5 + MINUTE_MS, "p"), late),
        _at_once(S, phone("a", 5, 2, 2), late, phone("a", 70_000, *OUTSIDE), pays("a", 70_001, "fresh")),
        _at_once(S, seen, phone("b", 9, *OUTSIDE), pays("a", 9 + MINUTE_MS, "p"), pays("b", 9 + MINUTE_MS, "q")),
        _at_once(*_walks(rng, 40, step_ms=30_000)),
    ]


def ordered(seed: str) -> list[Case]:
    """Return rows of one time in any order of arrival, and rows that arrive before they are due."""
    rng = random_for(seed, "ordered")
    same = [pays("a", 5, "p", offset=1), phone("a", 5, *OUTSIDE, offset=2), shop("s", 5, square(0), offset=3)]
    first = [phone("a", 5, 2, 2, offset=8), phone("a", 5, *OUTSIDE, offset=7), S, pays("a", 6, "p")]
    moved = [
        phone("a", 1, 2, 2),
        shop("s", 5, square(6), offset=9),
        shop("s", 5, square(0), offset=8),
        pays("a", 5, "p"),
    ]
    early = ([pays("a", 20, "p"), S], 10), ([phone("a", 15, *OUTSIDE)], 20)
    return [
        _at_once(pays("a", 7, "p"), phone("a", 5, *OUTSIDE), S),
        _at_once(*same),
        _at_once(*first),
        _at_once(*moved),
        _case(*early),
        _case(([S, phone("a", 5, *OUTSIDE)], 9), ([pays("a", 30, "p"), pays("a", 10, "q")], 10), ([], 29), ([], 30)),
        *(_shuffled(rng, _walks(rng, 40, step_ms=250)) for _ in range(3)),
    ]


def spending(seed: str) -> list[Case]:
    """Return payments on both sides of a window's borders, sums at and above limits, and limits that change."""
    rng = random_for(seed, "spending")
    limits = [
        _spends(1, 100, limit=50),
        _spends(2, 100, limit=300),
        _spends(3, 150, limit=300),
        _spends(4, 1, limit=50),
    ]
    return [
        _at_once(_spends(0, 200), _spends(6_000, 200)),
        _at_once(_spends(0, 300), _spends(20_000, 301)),
        _at_once(*limits),
        _at_once(_spends(4_999, 200), _spends(5_000, 101), _spends(9_999, 100), _spends(10_000, 201)),
        _at_once(_spends(1, 200), _spends(2, 200, "b"), _spends(3, 101, "b")),
        _at_once(_spends(0, 1, limit=0), _spends(30_000, 5)),
        _at_once(*_shopping(rng, 60)),
    ]


def closing(seed: str) -> list[Case]:
    """Return watermarks just before and at the end of windows, with and without rows in the batch."""
    at_ms = random_for(seed, "closing").randint(1, 4_999)
    much = _spends(at_ms, 500)
    return [
        _case(([much], 9_998), ([], 9_999), ([], 20_000)),
        _case(([much], at_ms), ([], 4_998), ([], 4_999), ([], 9_999)),
        _case(([much], 10_000), ([_spends(10_001, 500)], 14_998), ([], 14_999), ([], 19_999)),
        _case(([much], 9_998), ([_spends(9_999, 7)], 9_999), ([], 20_000)),
    ]


def undecided(seed: str) -> list[Case]:
    """Return windows whose last payment has no limit, and windows in which only an earlier one has none."""
    cents = random_for(seed, "undecided").randint(1, 299)
    return [
        _at_once(_spends(5_001, cents, limit=None)),
        _at_once(_spends(5_001, 500), _spends(5_002, 1, limit=None)),
        _at_once(_spends(5_001, cents, limit=None), _spends(5_002, 1)),
        _at_once(_spends(5_001, 500, limit=None), _spends(5_002, 1), _spends(5_003, 1, "b", limit=None)),
        _at_once(_spends(5_001, cents, limit=None), _spends(12_000, cents)),
    ]


def again(seed: str) -> list[Case]:
    """Return payments with the id of an earlier one, within a minute and later, and of two accounts."""
    rng = random_for(seed, "again")
    fresh = [phone(each, at, *OUTSIDE) for each in "ab" for at in (0, 50_000, 100_000, 150_000, 200_000)]
    times = sorted(rng.sample(range(1, 200_000), 25))
    drawn = [pays(rng.choice("ab"), at, rng.choice("pqr"), cents=at) for at in times]
    rows = sorted([*fresh, *drawn], key=lambda row: row[2])
    parts = [rows[at : at + 4] for at in range(0, len(rows), 4)]
    return [
        _at_once(S, *fresh[:2], *(pays("a", at, "p") for at in (1, 30_000))),
        _at_once(S, *fresh, *(pays("a", at, "p") for at in (1, 1 + MINUTE_MS, 2 + MINUTE_MS))),
        _at_once(S, *fresh, *(pays("a", at, "p") for at in (1, 40_000, 70_000, 120_000, 140_000))),
        _at_once(S, *fresh, pays("a", 1, "p"), pays("b", 2, "p"), pays("a", 3, "q"), pays("b", 4, "p", 999)),
        _at_once(S, _spends(1, 200, one="p"), _spends(2, 200, one="p"), _spends(3, 90, one="q")),
        _case(([S, *fresh[:3], pays("a", 1, "p")], 1), ([], MINUTE_MS), ([pays("a", 1 + MINUTE_MS, "p")], FAR_MS)),
        _at_once(S, *fresh, *drawn),
        _case(([S], 0), *((part, part[-1][2]) for part in parts)),
    ]


def resumed(seed: str) -> list[Case]:
    """Return batches after each of which a new desk resumes; what it must know comes from the batch before."""
    at_ms = random_for(seed, "resumed").randint(20, 90)
    first, second = [S, phone("a", 5, 2, 2), phone("b", 5, *OUTSIDE)], [pays("a", at_ms, "p"), pays("b", at_ms, "q")]
    repeated = [pays("b", at_ms + 1, "q"), pays("b", at_ms + 2, "r")]
    waits = [pays("b", 60, "p"), phone("a", 70, *OUTSIDE), pays("a", 72, "q"), shop("s", 80, square(6))]
    waits.append(pays("b", 90, "r"))
    sums = [_spends(1, 200)], [_spends(2, 200)], [_spends(9_999, 1)]
    many = [pays("a", 2_000 * number, f"id-{number:03}.") for number in range(120)]
    return [
        _case((first, 10), (second, 90), (repeated, 100), ([], 500), resumes=True),
        _case(([*first, *waits], 50), ([], 65), ([], 75), ([], 85), ([], 100), resumes=True),
        _case(*((rows, at) for rows, at in zip(sums, (1, 2, 20_000), strict=True)), resumes=True),
        _case(*((many[at : at + 10], 2_000 * (at + 9)) for at in range(0, 120, 10)), resumes=True),
    ]


def own_sums(seed: str) -> list[Case]:
    """Return payments for the learner's own `Aggregate`, with sums far from the limits."""
    rng = random_for(seed, "own sums")
    few = [_spends(0, 200), _spends(6_000, 200), _spends(30_000, 50), _spends(31_000, 20, "b")]
    many = [_spends(500 * at, rng.choice([10, 1000]), rng.choice("abc"), limit=505) for at in range(40)]
    return [_case((few, FAR_MS), own="Aggregate"), _case((many, FAR_MS), own="Aggregate")]


def own_watch(seed: str) -> list[Case]:
    """Return phones at triangles for the learner's own `Watch`, which knows more than bounding boxes."""
    rng = random_for(seed, "own watch")
    triangle = shop("s", 0, [[0, 0], [4, 0], [0, 4], [0, 0]])
    outside = [triangle, phone("a", 5, 3, 3), phone("b", 5, 1, 1), pays("a", 6, "p"), pays("b", 7, "q")]
    rows = [triangle]
    for at in range(40):
        account = rng.choice("abc")
        place = rng.choice([(1, 1), (3, 3), (2, 2), (6, 1)])
        rows += [phone(account, 100 + 20 * at, *place), pays(account, 110 + 20 * at, f"p{at}")]
    return [_case((outside, FAR_MS), own="Watch"), _case((rows, FAR_MS), own="Watch")]


def _spends(time_ms: int, cents: int, account: str = "a", limit: int | None = 300, one: str = "") -> Row:
    """Return a payment in a shop that does not exist, so that only the sum matters."""
    return pays(account, time_ms, one or f"{account}{time_ms}", cents, "nowhere", limit=limit)


def _walks(rng: random.Random, count: int, step_ms: int, *, edges: bool = False) -> list[Row]:
    """Return phones that walk, shops that move, and payments, each with a time of its own.

    With `edges`, shops also close, and payments come from unknown shops and before the first position of a phone.
    """
    rows, time_ms = [shop(f"s{at}", 0, square(10 * at), at) for at in range(3)], 0
    rows += [] if edges else [phone(each, 0, *OUTSIDE) for each in "abcd"]
    shapes, shops = ([None], ["nowhere"]) if edges else ([], [])
    for offset in range(3, count):
        time_ms += rng.randint(1, step_ms)
        account, number, kind = rng.choice("abcd"), rng.randrange(3), rng.random()
        if kind < 0.5:
            place = rng.choice([0, 2, 4, 4.5, 12, 14, 22]), rng.choice([0, 1, 4])
            rows.append(phone(account, time_ms, *place, offset))
        elif kind < 0.6:
            rows.append(shop(f"s{number}", time_ms, rng.choice([*shapes, square(10 * number - 1)]), offset))
        else:
            at = rng.choice([f"s{number}", *shops])
            rows.append(pays(account, time_ms, f"p{offset}", at=at, offset=offset))
    return rows


def _shuffled(rng: random.Random, rows: list[Row]) -> Case:
    """Return the rows in any order, in three batches; none is older than the watermark before its batch."""
    times = sorted(row[2] for row in rows)
    marks = [times[len(times) // 3], times[2 * len(times) // 3], FAR_MS]
    batches: list[list[Row]] = [[], [], []]
    for row in rows:
        latest = next(number for number, at_ms in enumerate(marks) if row[2] <= at_ms)
        batches[rng.randint(0, latest)].append(row)
    for each in batches:
        rng.shuffle(each)
    return _case(*zip(batches, marks, strict=True))


def _shopping(rng: random.Random, count: int) -> list[Row]:
    """Return payments of three accounts with few different sums and limits, some at borders of windows."""
    times = sorted(rng.sample(range(60_000), count - 9) + rng.sample(range(0, 60_000, 5_000), 9))
    choices = [0, 100, 300, 1000]
    return [
        _spends(at_ms, rng.choice([1, 50, 100]), rng.choice("abc"), rng.choice(choices), f"p{number}")
        for number, at_ms in enumerate(times)
    ]
