"""Seeded cases of `kafka_counts` and `write_once`: real services, so they are few and small.

No record is late: their times differ by less than the watermark, however they are divided into batches.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for

# kafka_counts

WINDOW_S, WATERMARK_S, SPREAD_S = 10, 120, 60
BEGIN_MS = 1_700_000_000_000


def counted(seed: str) -> list[Case]:
    """Return records in no order, at the edges of windows, in several partitions, with a key and without."""
    return [_records(random_for(seed, "counted"), 30)]


def killed(seed: str) -> list[Case]:
    """Return such records, with a kill of the job inside a batch, and with a kill of the broker."""
    rng = random_for(seed, "killed services")
    return [{**_records(rng, 16), "kill": what} for what in ("job", "broker")]


def _records(rng: random.Random, count: int) -> Case:
    edges: list[list[Any]] = [["edge", "v", BEGIN_MS + ms] for ms in (0, 9_999, 10_000, 19_999, 20_000)]
    any_time = [BEGIN_MS + rng.randint(0, SPREAD_S * 1000 - 1) for _ in range(count)]
    keyed = [[rng.choice(VOCABULARY[:4]), f"v{number}", when_ms] for number, when_ms in enumerate(any_time)]
    without = [[None, "v", BEGIN_MS + rng.randint(0, 30_000)] for _ in range(5)]
    records: list[list[Any]] = [
        *edges,
        ["twice", "same", BEGIN_MS],
        ["twice", "same", BEGIN_MS],
        ["", "v", BEGIN_MS],
        *keyed,
        *without,
    ]
    rng.shuffle(records)
    return _counting(records)


def _counting(records: list[list[Any]]) -> Case:
    return {"records": records, "window_s": WINDOW_S, "watermark_s": WATERMARK_S, "partitions": 3}


# write_once: writes are [batch id, rows, "ok", "dies" or "dies late": when it renames]


def written(seed: str) -> list[Case]:
    """Return batches that are written once and again, also with other rows, equal rows, and empty batches."""
    rng = random_for(seed, "written")
    few, other = _rows(rng, 3), _rows(rng, 2)
    return [
        _writes([[0, [["a", 1]], "ok"]]),
        _writes([[0, [], "ok"]]),
        _writes([[0, few, "ok"], [0, few, "ok"]]),
        _writes([[0, few, "ok"], [0, other, "ok"]]),
        _writes([[0, [["a", 1], ["a", 1]], "ok"], [1, [["a", 1]], "ok"], [0, [["a", 1], ["a", 1]], "ok"]]),
        _writes([[4, other, "ok"], [5, [], "ok"], [11, few, "ok"], [5, [], "ok"], [1, other, "ok"]]),
    ]


def dying(seed: str) -> list[Case]:
    """Return attempts that die: the first one, one between others, and one for a batch that is already in the table."""
    rng = random_for(seed, "dying")
    few, other, third = _rows(rng, 3), _rows(rng, 2), _rows(rng, rng.randint(4, 9))
    return [
        _writes([[0, few, "dies"], [0, few, "ok"]]),
        _writes([[0, few, "ok"], [1, other, "dies"], [1, other, "dies"], [1, other, "ok"], [2, third, "dies"]]),
        _writes([[7, third, "ok"], [8, few, "ok"], [8, other, "dies"], [8, few, "ok"]]),
        _writes([[3, few, "ok"], [9, third, "dies late"], [9, third, "ok"]]),
    ]


def _rows(rng: random.Random, count: int) -> list[list[Any]]:
    return [[rng.choice(VOCABULARY), rng.randint(1, 99)] for _ in range(count)]


def _writes(writes: list[list[Any]]) -> Case:
    return {"writes": writes}
