"""Seeded cases of `distinct_count`: single values, streams in two parts, registers, and whole streams."""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for

SMALLEST, LARGEST = 7, 16
ROWS, STREAMS = 800, 30
Value = str | int


def lifted(seed: str) -> list[Case]:
    """Return one value, and values of both kinds, many of them with a rank above 1."""
    rng = random_for(seed, "lifted")
    some: list[Value] = ["", 0, -1, 2**70, "10.0.0.1", *(rng.randrange(10**6) for _ in range(40))]
    return [{"p": 7, "values": ["a"]}, {"p": 7, "values": some}, {"p": 10, "values": some[:20]}]


def merged(seed: str) -> list[Case]:
    """Return two parts of a stream: apart, overlapping, equal, and one with repeats in another order."""
    rng = random_for(seed, "merged")
    few, many = [_ip(rng) for _ in range(5)], [rng.randrange(10**6) for _ in range(300)]
    again = [*many, *rng.choices(many, k=100)]
    rng.shuffle(again)
    pairs = [(["a"], ["b"]), (few, few[::-1]), (many[:200], many[100:]), (many, again)]
    return [{"p": p, "left": left, "right": right} for p, (left, right) in zip((7, 7, 7, 8), pairs, strict=True)]


def estimated(seed: str) -> list[Case]:
    """Return registers on both sides of 2.5 * m, with and without zeros, zeros alone, and a large estimate."""
    rng = random_for(seed, "estimated")
    below = [[1] + [0] * 127, [0] * 128, [rng.choice([0, 0, 1, 2]) for _ in range(128)], [0] + [1, 2] * 63 + [2]]
    above = [[1] * 128, [0] + [2] * 127, [0] + [rng.randint(3, 58) for _ in range(127)]]
    above.append([21] * 128)  # E is beyond 2**32 / 30
    more = [rng.randint(2, 7) for _ in range(256)]
    return [{"p": 7, "registers": each} for each in below + above] + [{"p": 8, "registers": more}]


def streams(seed: str) -> list[Case]:
    """Return 30 streams: empty, all equal, uniform from few or many values, and Zipf with exponent 1."""
    rng = random_for(seed, "streams")
    drawn: list[list[Value]] = [[], [_ip(rng)] * 50, [rng.randrange(10**6)] * ROWS]
    for number in range(STREAMS - len(drawn)):
        drawn.append(_zipf(rng) if number % 3 == 0 else _uniform(rng, (100, 1000, 10**9)[number // 3 % 3]))
    return [{"streams": [{"p": 7 + at % 3, "values": values} for at, values in enumerate(drawn)]}]


def invalid(seed: str) -> list[Case]:
    """Return numbers of bits just inside and outside of the range."""
    beyond = random_for(seed, "invalid").randint(LARGEST + 2, 99)
    return [{"p": p, "values": ["a"]} for p in (SMALLEST, SMALLEST - 1, LARGEST, LARGEST + 1, 0, -1, beyond)]


def _ip(rng: random.Random) -> str:
    return f"10.0.{rng.randrange(256)}.{rng.randrange(256)}"


def _uniform(rng: random.Random, universe: int) -> list[Value]:
    return [rng.randrange(universe) for _ in range(ROWS)]


def _zipf(rng: random.Random) -> list[Value]:
    ids = rng.sample(range(10**6), 4000)
    return [f"user {each}" for each in rng.choices(ids, [1 / rank for rank in range(1, len(ids) + 1)], k=ROWS)]
