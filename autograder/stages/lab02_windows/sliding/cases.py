"""Seeded cases of `SlidingSum` and `SlidingMax`: steps ["add", value], ["expire"], ["result"], smallest first.

Each function tests one rule: only `empty_windows` calls `expire` or `result` on an empty window, only `equal_values`
has a value twice in a window, only `floats` and one of `empty_windows` have values that are not whole.
"""

import random
from collections.abc import Iterable
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Steps = list[list[Any]]

ADD, EXPIRE, RESULT = "add", ["expire"], ["result"]
VALUES = range(-1000, 1000)
LONG = 200
FLOATS = 1500
FLOAT_WINDOW = 40


def whole_numbers(seed: str) -> list[Case]:
    """Return windows that grow, that slide and that shrink, and two at a time; no value occurs twice in one window.

    Some values are 0, one has more digits than a float.
    """
    rng = random_for(seed, "whole numbers")
    first = [
        [*adding([700]), RESULT],  # large, so values that windows share give sums that look like no other mistake
        [*adding([5, 3]), RESULT, EXPIRE, RESULT],
        [*adding([3, 5]), RESULT, EXPIRE, RESULT],
        [*adding([0, 5]), EXPIRE, RESULT],
        [*adding([9, 0]), EXPIRE, *adding([-5]), RESULT],
        [*adding([5, -1, 0]), EXPIRE, RESULT],
        [*adding([2**53 + 1]), RESULT],
        [*adding([-4, -7]), RESULT, EXPIRE, RESULT, *adding([2]), RESULT],
        [*adding([9, 8, 7]), EXPIRE, RESULT, *adding([1]), EXPIRE, RESULT, EXPIRE, RESULT],
    ]
    single, *others = _cases([*first, *(_walk(rng, length) for length in (10, 25, 60, 150))])
    return [single, {**others[1], "other": [rng.randint(10, 99)]}, *others]


def equal_values(seed: str) -> list[Case]:
    """Return windows with the largest value more than once; one leaves, the other stays."""
    rng = random_for(seed, "equal values")
    first = [
        [*adding([5, 5]), EXPIRE, RESULT],
        [*adding([5, 3, 5]), EXPIRE, RESULT],
        [*adding([5, 5, 3]), EXPIRE, RESULT, EXPIRE, RESULT],
        [*adding([7, 7]), RESULT, EXPIRE, *adding([7]), EXPIRE, RESULT],
    ]
    few = [[*_sliding(rng.choices(range(3), k=count), window=4)] for count in (8, 20, 50)]
    return _cases([*first, *few])


def empty_windows(seed: str) -> list[Case]:
    """Return calls of `result` and `expire` on a window that is still empty or empty again, once after two floats."""
    rng = random_for(seed, "empty windows")
    value = rng.randint(3, 999)
    return _cases(
        [
            [RESULT],
            [EXPIRE],
            [EXPIRE, *adding([value]), RESULT],
            [*adding([value]), EXPIRE, RESULT],
            [*adding([0.1, 0.2]), EXPIRE, EXPIRE, RESULT],
            [*adding([value]), EXPIRE, EXPIRE, RESULT],
            [EXPIRE, *adding([value]), EXPIRE, *adding([2]), RESULT],
            [*adding([1, value]), EXPIRE, EXPIRE, RESULT, EXPIRE, *adding([2]), RESULT],
        ]
    )


def long_windows(seed: str) -> list[Case]:
    """Return windows of 2 values up to all values; every added value expires, with at most one result for each."""
    rng = random_for(seed, "long windows")
    mixed = rng.sample(VALUES, LONG)
    orders = [mixed[:3], sorted(mixed), sorted(mixed, reverse=True), mixed]
    return _cases(
        [_drained(values, window) for values in orders for window in (2, LONG // 4, LONG) if window <= len(values)]
    )


def floats(seed: str) -> list[Case]:
    """Return numbers with fractions of any magnitude, alone in their windows, and of many in one long walk."""
    rng = random_for(seed, "floats")
    magnitudes = [rng.uniform(-1, 1) * 10 ** rng.randint(-6, 3) for _ in range(FLOATS)]
    first = [[*adding([0.5]), RESULT], [*adding([0.1, 0.2]), RESULT], _sliding([0.1] * 12, window=3)]
    alone = [[*adding([rng.uniform(1, 9) * 10.0**power]), RESULT] for power in (-12, -300, 12, 300)]
    long = _sliding(magnitudes, FLOAT_WINDOW, look_every=100)
    return _cases([*first, *alone, long])


def adding(values: Iterable[Any]) -> Steps:
    """Return steps that add these values. Example: adding([5]) -> [["add", 5]]."""
    return [[ADD, value] for value in values]


def _walk(rng: random.Random, length: int) -> Steps:
    """Return steps in any order, never on an empty window; all values differ."""
    steps: Steps = []
    inside = 0
    for value in rng.sample(VALUES, length):
        steps += [[ADD, value], RESULT]
        inside += 1
        while inside > 1 and rng.random() < 0.45:
            steps += [EXPIRE, RESULT]
            inside -= 1
    return steps


def _sliding(values: list[Any], window: int, look_every: int = 1) -> Steps:
    """Return steps: each value enters, the one `window` before it leaves, and `look_every` values give one result."""
    steps: Steps = []
    for number, value in enumerate(values, 1):
        steps += [[ADD, value], *([EXPIRE] if number > window else [])]
        steps += [RESULT] if number % look_every == 0 else []
    return steps


def _drained(values: list[Any], window: int) -> Steps:
    """Return the steps of a sliding window, then one expire for each value that is left."""
    return [*_sliding(values, window), *([EXPIRE] * min(window, len(values)))]


def _cases(many: list[Steps]) -> list[Case]:
    return [{"steps": steps} for steps in many]
