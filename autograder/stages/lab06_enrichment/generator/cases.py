"""Bursts of messages, smallest first. The bursts of a check depend on no other rule, or have one queue only."""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for

EXAMPLE = {"bursts": [[0, 4], [1000, 4], [2000, 4]], "partitions": 4, "brokers": 3, "enough": 4, "linger_ms": 5000}


def brokers(seed: str) -> list[Case]:
    """Return one broker, more brokers than partitions, and the paper's eight partitions on three brokers."""
    rng = random_for(seed, "brokers")
    steady = [[1000 * at, rng.randint(5, 9)] for at in range(12)]
    shapes = [(4, 1), (2, 5), (8, 3), (3, 3), (5, 2)]
    steady_cases = [{**EXAMPLE, "bursts": steady, "partitions": p, "brokers": b} for p, b in shapes]
    return [EXAMPLE, *steady_cases, *[_random(rng) for _ in range(12)]]


def enough(seed: str) -> list[Case]:
    """Return bursts that fill one queue exactly, once or several times, and `enough` of 1."""
    rng = random_for(seed, "enough")
    one = {**EXAMPLE, "partitions": 1, "brokers": 1}
    full = [{**one, "bursts": [[0, n], [700, m]], "enough": e} for n, m, e in ((1, 1, 2), (2, 4, 3), (9, 3, 4))]
    first = rng.randint(1, 3)
    late = {**one, "bursts": [[0, first], [rng.randint(1, 4999), 8 - first]], "enough": 2}
    return [*full, {**EXAMPLE, "enough": 1}, late]


def oldest(seed: str) -> list[Case]:
    """Return bursts just before, at and just after the moment at which the oldest message is due, and linger 0."""
    rng = random_for(seed, "oldest")
    linger_ms = rng.randint(300, 900)
    one = {"partitions": 1, "brokers": 1, "enough": 5, "linger_ms": linger_ms}
    edges = [{**one, "bursts": [[10, 1], [200, 1], [10 + linger_ms + more, 1]]} for more in (-1, 0, 1)]
    filled = {**one, "bursts": [[0, 1], [linger_ms, 4], [linger_ms + 1, 1]]}
    at_once = {**one, "linger_ms": 0, "bursts": [[0, 3], [0, 2], [5, 6]]}
    return [*edges, filled, at_once]


def all_sent(seed: str) -> list[Case]:
    """Return no bursts, empty ones, a single message, and invalid arguments."""
    rng = random_for(seed, "all_sent")
    lonely = {**EXAMPLE, "bursts": [[rng.randint(1, 99), 0], [rng.randint(100, 999), 1]], "linger_ms": 50}
    invalid = [{**EXAMPLE, name: 0} for name in ("partitions", "brokers", "enough")]
    return [lonely, {**EXAMPLE, "bursts": []}, *invalid, {**EXAMPLE, "linger_ms": -1}]


def _random(rng: random.Random) -> Case:
    times = sorted(rng.randrange(0, 3000, 10) for _ in range(rng.randint(3, 8)))
    bursts = [[at_ms, rng.randint(1, 7)] for at_ms in times]
    shape = {"partitions": rng.randint(1, 6), "brokers": rng.randint(1, 4)}
    return {"bursts": bursts, **shape, "enough": rng.randint(1, 6), "linger_ms": 10 * rng.randint(0, 90)}
