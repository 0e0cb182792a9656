"""Transactions of a few accounts. Each case is one to five Spark jobs, so the cases are few."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

ACCOUNTS = ["Ann", "Böb", "c,d", "eve", "Zoë"]
ITEMS = {"recipient": ["shop", "market"], "device": ["phone", ""], "location": ["Berlin", "Köln"]}
BASE = {"partitions": 4, "partition_of": "stub", "cache": "task", "jobs": 1, "kill_before": None, "take": 0}


def placed(seed: str) -> list[Case]:
    """Return accounts with two-byte UTF-8 letters, in more partitions than before, and in one.

    With 4 partitions, the last bytes of "ë" in UTF-8 and in Latin-1 would give the same one.
    """
    rng = random_for(seed, "placed")
    some = _bank(rng, 24)
    return [{**BASE, **some, "partitions": count} for count in (5, 1)]


def asked(seed: str) -> list[Case]:
    """Return each key several times: known ones, unknown ones, and an empty row."""
    return [{**BASE, **_bank(random_for(seed, "asked"), 40), "partitions": 5}]


def closed(seed: str) -> list[Case]:
    """Return a job that is read completely, and one that is read up to its first of many transactions."""
    some = _bank(random_for(seed, "closed"), 20)
    return [{**BASE, **some, "partitions": 2}, {**BASE, **some, "partitions": 1, "take": 1}]


def workers(seed: str) -> list[Case]:
    """Return four jobs with caches per worker, then kill -9 of all workers, and one more job."""
    return [{**BASE, **_bank(random_for(seed, "workers"), 30), "cache": "worker", "jobs": 5, "kill_before": 4}]


def chained(seed: str) -> list[Case]:
    """Return accounts in the partitions of the learner's Lab 3."""
    rng = random_for(seed, "chained")
    names = [f"acc{rng.randrange(10**5):05d}" for _ in range(12)]
    return [{**BASE, **_bank(rng, 24, names), "partition_of": "lab03", "partitions": 7}]


def _bank(rng: random.Random, count: int, extra: list[str] | None = None) -> dict[str, Any]:
    """Return transactions and the known rows: about two thirds of all keys, one of them with an empty text."""
    accounts = extra or ACCOUNTS + [f"a{rng.randrange(100)}" for _ in range(3)]
    keys = [[kind, account, item] for account in accounts for kind, items in ITEMS.items() for item in items]
    known = rng.sample(keys, 2 * len(keys) // 3)
    rows = [[*key, "" if at == 0 else f"row {at}"] for at, key in enumerate(known)]
    drawn = [[rng.choice(items) for items in ITEMS.values()] for _ in range(count)]
    payments = [[f"t{at}", accounts[at % len(accounts)], *items, 100, at] for at, items in enumerate(drawn)]
    return {"transactions": payments, "rows": rows}
