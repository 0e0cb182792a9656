"""Transactions and changes of one account, in calls with rising watermarks, smallest first.

Every row arrives before the watermark has passed it, as on Spark.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Row = list[Any]
VERSIONS = [["c", "device", "ann", "phone", 10, 0, "old"], ["c", "device", "ann", "phone", 30, 1, "new"]]
REMOVED = ["c", "device", "ann", "phone", 40, 2, None]


def payment(at_ms: int, name: str = "", item: str = "phone", account: str = "ann") -> Row:
    """Return a transaction with a shop and a city that may be unknown."""
    return ["t", name or f"t{at_ms}", account, "shop", item, "Berlin", 100, at_ms]


EXAMPLE: dict[str, Any] = {
    "calls": [
        {"arrived": [*VERSIONS, REMOVED, payment(45), payment(20), payment(30)], "watermark_ms": 25},
        {"arrived": [], "watermark_ms": 50},
    ]
}


def histories(seed: str) -> list[Case]:
    """Return versions ordered by time or by `seq`, a row that comes back, empty rows, and random histories."""
    rng = random_for(seed, "histories")
    at_once = [["c", "device", "ann", "phone", 10, seq, row] for seq, row in ((10, "b"), (9, "a"), (11, ""))]
    of_others = [["c", "recipient", "ann", "phone", 5, 0, "kind"], ["c", "device", "ann", "watch", 5, 1, "item"]]
    arrived = [*at_once, *of_others, payment(9), payment(10), payment(11)]
    by_time = _calls([([_change(1, 0, "a"), _change(5, 0, "b"), payment(6)], 9)])
    back_again = _calls([([_change(5, 0, "a"), _change(5, 1, "b"), _change(5, 2, "a"), payment(6)], 9)])
    return [EXAMPLE, by_time, back_again, _calls([(arrived, 20)]), *[_random(rng) for _ in range(8)]]


def watermarks(seed: str) -> list[Case]:
    """Return watermarks below 0 or around a transaction; several transactions of one moment; random ones."""
    rng = random_for(seed, "watermarks")
    same = [payment(20, name) for name in rng.sample(["b", "a", "t9", "t10"], 4)]
    steps = _calls([([payment(20), *VERSIONS], 19), ([], 20), ([], 21)])
    early = _calls([([payment(0)], -1), ([], 0)])
    return [EXAMPLE, early, steps, _calls([([payment(21, "z"), *same, payment(19, "y")], 30)]), _random(rng)]


def repeats(seed: str) -> list[Case]:
    """Return transactions that come twice in a call, and again while they wait, also with another time and device."""
    rng = random_for(seed, "repeats")
    other, later = payment(20 + rng.randint(1, 9), "t20", "laptop"), payment(40, "t20", "laptop")
    found = [
        EXAMPLE,
        _calls([([payment(20)], 10), ([other], 20), ([], 60)]),
        _calls([([later], 10), ([other], 30), ([], 40)]),
    ]
    for _ in range(3):
        first = [payment(20), payment(20), payment(30), *VERSIONS, VERSIONS[1]]
        second = [payment(30), payment(45), payment(45), VERSIONS[1], REMOVED]
        for some in first, second:
            rng.shuffle(some)
        found.append(_calls([(first, 25), (second, 29), ([], 30), ([], 60), ([payment(70)], 80)]))
    return found


def forgotten(seed: str) -> list[Case]:
    """Return versions at, before and after the watermark, empty and equal rows, and random histories.

    Some have removals that hide rows.
    """
    rng = random_for(seed, "forgotten")
    edge = _calls([([*VERSIONS, REMOVED], 29), ([], 30), ([], 39), ([], 40), ([], 41)])
    again = ["c", "device", "ann", "phone", 60, 4, "third"]
    back = _calls([([VERSIONS[0], REMOVED], 50), ([again, again], 55), ([payment(65)], 70)])
    empty = _calls([([_change(1, 0, "")], 5), ([payment(6)], 9)])
    equal = _calls([([_change(1, 0, "a"), _change(5, 1, "a"), _change(8, 2, "b")], 3)])
    return [EXAMPLE, empty, equal, edge, back, *[_random(rng) for _ in range(6)]]


def killed(seed: str) -> list[Case]:
    """Return files for a query on Spark.

    Rows come first; then the workers are killed; payments and a removal come afterwards.
    """
    rng = random_for(seed, "killed")
    new = f"row {rng.randint(100, 999)}"
    rows = [_at(each) for each in (*VERSIONS, ["c", "location", "bob", "Berlin", 12, 3, new])]
    waits, removal = _at(payment(45, "waits")), _at(REMOVED)
    first = [*rows, waits, _beat(32), _clock(32)]
    second = [removal, _at(payment(39)), _at(payment(50, "b", account="bob")), _beat(90), _clock(90)]
    return [{**EXAMPLE, "files": [first, second], "until_ms": 90_000}]


def _at(row: Row) -> Row:
    """Return the row with its time in seconds instead of ms, so that Spark's watermarks are far apart."""
    place = 7 if row[0] == "t" else 4
    return [*row[:place], 1000 * row[place], *row[place + 1 :]]


def _beat(at_s: int) -> Row:
    """Return a heartbeat of the change log, with a key that nobody looks up."""
    return ["c", "heartbeat", "", "", 1000 * at_s, 0, None]


def _clock(at_s: int) -> Row:
    """Return a payment that moves the watermark of the payments."""
    return ["t", f"clock{at_s}", "clock", "", "", "", 1, 1000 * at_s]


def _change(at_ms: int, seq: int, row: str | None) -> Row:
    """Return a version of the row of ann's phone."""
    return ["c", "device", "ann", "phone", at_ms, seq, row]


def _calls(calls: list[tuple[list[Row], int]]) -> Case:
    return {"calls": [{"arrived": arrived, "watermark_ms": watermark_ms} for arrived, watermark_ms in calls]}


def _random(rng: random.Random) -> Case:
    """Return four calls in which keys have several versions, some of them removals, with transactions in between."""
    calls, watermark_ms, number = [], 0, 0
    for _ in range(4):
        arrived = []
        for _ in range(rng.randint(2, 7)):
            number, at_ms = number + 1, watermark_ms + rng.randint(1, 60)
            item = rng.choice(["phone", "watch"])
            if rng.random() < 0.5:
                arrived.append(payment(at_ms, f"t{number}", item))
            else:
                row = None if rng.random() < 0.3 else f"row {number}"
                arrived.append(["c", "device", "ann", item, at_ms, number, row])
        watermark_ms += rng.randint(0, 40)
        calls.append((arrived, watermark_ms))
    return _calls([*calls, ([], watermark_ms + 100)])
