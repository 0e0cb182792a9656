"""Seeded cases of `Membership`, `kafka_counts` and `write_once`: real services, so they are few and small.

Of records none is late: all lie closer together than the watermark is long, however they are cut into batches.
Keeps out: the right answers (`oracle_streams`).
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for

# Membership: "members" join in this order, and a watcher is told; each case gets a group of its own from its drive.


def gone(seed: str) -> list[Case]:
    """A member that is killed: its session ends some time later."""
    first, second = _two_names(seed, "gone")
    return [{"kind": "killed", "members": [first, second], "kill": first}]


def leaving(seed: str) -> list[Case]:
    """A member that leaves."""
    first, second = _two_names(seed, "leaving")
    return [{"kind": "left", "members": [second, "m", first], "leave": "m"}]


def names(seed: str) -> list[Case]:
    """A node of the own session that is there already, and one of another session that stays."""
    name, _ = _two_names(seed, "names")
    own = {"kind": "own_session", "members": [name]}
    return [own, {"kind": "same_name", "members": [name], "alive": True, "timeout_s": 0.6}]


def _two_names(seed: str, name: str) -> list[str]:
    """One that sorts before "m" and one that sorts behind it."""
    number = random_for(seed, name).randint(1, 99)
    return [f"a{number}", f"z{number}"]


def commits(seed: str) -> list[Case]:
    """Offsets of some partitions, one of them twice; of one there is none."""
    chance = random_for(seed, "commits")
    twice = [[0, chance.randint(1, 9)], [2, chance.randint(10**9, 10**12)], [0, chance.randint(10, 99)]]
    return [{"kind": "offsets", "members": ["a"], "commits": twice, "partitions": [0, 1, 2]}]


def no_members(seed: str) -> list[Case]:
    """Names that are none, and an offset below zero."""
    below = -random_for(seed, "no members").randint(1, 99)
    wrong = [("", "a", 0), ("a/b", "a", 0), ("g", "", 0), ("g", "a/b", 0), ("g", "a", below)]
    return [
        {"kind": "offsets", "group": group, "members": [me], "commits": [[0, offset]]} for group, me, offset in wrong
    ]


# kafka_counts

WINDOW_S, WATERMARK_S, SPREAD_S = 10, 120, 60
BEGIN_MS = 1_700_000_000_000


def counted(seed: str) -> list[Case]:
    """Records in no order, at the edges of windows, in several partitions, with a key and without."""
    return [_records(random_for(seed, "counted"), 30)]


def killed(seed: str) -> list[Case]:
    """The same, with a kill of the job inside a batch, and with a kill of the broker."""
    chance = random_for(seed, "killed services")
    return [{**_records(chance, 16), "kill": what} for what in ("job", "broker")]


def _records(chance: random.Random, count: int) -> Case:
    edges: list[list[Any]] = [["edge", "v", BEGIN_MS + ms] for ms in (0, 9_999, 10_000, 19_999, 20_000)]
    any_time = [BEGIN_MS + chance.randint(0, SPREAD_S * 1000 - 1) for _ in range(count)]
    keyed = [[chance.choice(VOCABULARY[:4]), f"v{number}", when_ms] for number, when_ms in enumerate(any_time)]
    without = [[None, "v", BEGIN_MS + chance.randint(0, 30_000)] for _ in range(5)]
    records: list[list[Any]] = [
        *edges,
        ["twice", "same", BEGIN_MS],
        ["twice", "same", BEGIN_MS],
        ["", "v", BEGIN_MS],
        *keyed,
        *without,
    ]
    chance.shuffle(records)
    return _counting(records)


def wrong_lengths(seed: str) -> list[Case]:
    """A window of no length or less, a watermark below zero."""
    below = -random_for(seed, "wrong lengths").randint(2, 99)
    return [_counting([], *lengths) for lengths in ((0, 30), (10, -1), (below, 30), (10, below))]


def _counting(records: list[list[Any]], window_s: int = WINDOW_S, watermark_s: int = WATERMARK_S) -> Case:
    return {"records": records, "window_s": window_s, "watermark_s": watermark_s, "partitions": 3}


# write_once: writes are [batch id, rows, "ok" or "dies"]


def written(seed: str) -> list[Case]:
    """Batches that are written once and again, equal rows in one batch and in two, and batches of nothing."""
    chance = random_for(seed, "written")
    few, other = _rows(chance, 3), _rows(chance, 2)
    return [
        _writes([[0, [["a", 1]], "ok"]]),
        _writes([[0, few, "ok"], [0, few, "ok"]]),
        _writes([[0, [["a", 1], ["a", 1]], "ok"], [1, [["a", 1]], "ok"], [0, [["a", 1], ["a", 1]], "ok"]]),
        _writes([[4, other, "ok"], [5, [], "ok"], [11, few, "ok"], [5, [], "ok"], [1, other, "ok"]]),
    ]


def dying(seed: str) -> list[Case]:
    """Tries that die: the first of all, one between others, one of a batch that is there already."""
    chance = random_for(seed, "dying")
    few, other, third = _rows(chance, 3), _rows(chance, 2), _rows(chance, chance.randint(4, 9))
    return [
        _writes([[0, few, "dies"], [0, few, "ok"]]),
        _writes([[0, few, "ok"], [1, other, "dies"], [1, other, "dies"], [1, other, "ok"], [2, third, "dies"]]),
        _writes([[7, third, "ok"], [8, few, "ok"], [8, few, "dies"], [8, few, "ok"]]),
    ]


def no_batches(seed: str) -> list[Case]:
    """Batch ids below zero."""
    below = -random_for(seed, "no batches").randint(2, 99)
    return [_writes([[batch_id, [["a", 1]], "ok"]]) for batch_id in (-1, below)]


def _rows(chance: random.Random, count: int) -> list[list[Any]]:
    return [[chance.choice(VOCABULARY), chance.randint(1, 99)] for _ in range(count)]


def _writes(writes: list[list[Any]]) -> Case:
    return {"writes": writes}
