"""Seeded cases of windows and state on a running Spark: few and small, since every batch takes time.

Lengths are in batches; the drive turns them into seconds. The name of a key says where it occurs: `own3` is in batch 3
only.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for, zipf_lines

Pair = list[Any]
BATCH_S = 0.1
LONG, LEAVE = 20, 3  # batches of the long window, and how many of them leave it


def streams(seed: str) -> list[Case]:
    """Return an empty stream, window = slide, a window that is not a multiple of its slide, and two long windows.

    The last two are five slides long: shorter windows are never computed by an inverse in Spark
    (PythonReducedWindowedDStream recounts windows shorter than five slides). In the first of them, a sum is zero until
    one of its pairs leaves.
    """
    rng = random_for(seed, "streams")
    gone, back = _gone_and_back(rng)
    second, third = _own_keys(rng, 2, first=2)
    return [
        _windowed([[], []], 2, 2),
        _windowed([[["one", 1]], [["one", rng.randint(2, 9)]], [], [["two", 3]]], 2, 2),
        _windowed([*_own_keys(rng, 3), [], *_own_keys(rng, 2, first=5)], 3, 2),
        _windowed([[["again", -9]], [["again", 9]], [], [], [], []], 5, 1),
        _windowed([[*_leaving(rng), *gone], [*second, back], third, [], *_own_keys(rng, 3, first=5)], 5, 1),
    ]


def long_window(seed: str) -> list[Case]:
    """Return a window of 20 batches with equally many rows each, which moves on by one batch.

    Each batch lacks one key, so the keys of a window are not those of its last batch.
    """
    rng = random_for(seed, "long window")
    keys = [f"key{number:02}" for number in range(40)]
    batches = [[[key, rng.randint(1, 9)] for key in rng.sample(keys, len(keys) - 1)] for _ in range(LONG + LEAVE)]
    return [{**_windowed(batches, LONG, 1), "measured": [LONG + at for at in range(1, LEAVE + 1)]}]


def _windowed(batches: list[list[Pair]], window: int, slide: int) -> Case:
    return {"window_batches": window, "slide_batches": slide, "batches": batches}


def _own_keys(rng: random.Random, count: int, first: int = 1) -> list[list[Pair]]:
    """Return batches with a key that only this batch has, one that occurs twice in each, and one with the count 0."""
    return [
        [[f"own{number}", rng.randint(1, 9)], ["all", 1], ["all", rng.randint(1, 9)], ["nothing", 0]]
        for number in range(first, first + count)
    ]


def _leaving(rng: random.Random) -> list[Pair]:
    """Return a first batch whose keys do not occur again: their sums fall to zero when it leaves the window."""
    return [["all", 2], ["own1", rng.randint(2, 9)], [rng.choice(VOCABULARY), 1]]


def _gone_and_back(rng: random.Random) -> tuple[list[Pair], Pair]:
    """Return counts that add up to zero: the key has no row until the first ones leave, and then it has one again."""
    first, second = rng.randint(1, 9), rng.randint(1, 9)
    return [["again", -first], ["again", -second]], ["again", first + second]


def spoken(seed: str) -> list[Case]:
    """Return batches of lines for the words of Lab 1, in windows of one batch; other checks judge the windows."""
    rng = random_for(seed, "spoken")
    lines = [["Rock 'n' roll: it's ROCK!"], [f"{rng.choice(VOCABULARY)} Straße, STRASSE", *zipf_lines(rng, 2, 6)]]
    return [{"lines": lines, "window_batches": 1, "slide_batches": 1}]


def lengths(seed: str) -> list[Case]:
    """Return valid windows and slides, including a window shorter than its slide, and invalid ones."""
    rng = random_for(seed, "lengths")
    fit = [(0.2, 0.1), (0.3, 0.1), (1.0, 1.0), (0.1, 0.3)]
    rejected = [(0.25, 0.1), (0.2, 0.15), (0.2, 0.0), (0.0, 0.1), (-0.2, 0.1), (0.2, -0.1), (0.05, 0.1), (1.0, 0.25)]
    odd = rng.randint(1, 20) * BATCH_S + rng.randint(1, 9) / 100
    more = [(round(odd, 2), BATCH_S), (-BATCH_S * rng.randint(2, 9), BATCH_S)]
    return [
        {"window_s": round(window_s, 2), "slide_s": slide_s, "batch_s": BATCH_S}
        for window_s, slide_s in [*fit, *rejected, *more]
    ]


def totals(seed: str) -> list[Case]:
    """Return batches with keys that recur, keys that do not, and empty batches; the second stream begins with one.

    In the second stream a total falls to zero, and its key does not occur again.
    """
    rng = random_for(seed, "totals")
    first, second, third, back = rng.sample(VOCABULARY, 4)
    count = rng.randint(1, 9)
    longer = [
        [],
        [[first, rng.randint(1, 9)], [second, 2], [first, 1], [back, count]],
        [[third, 1], [back, -count]],
        [],
        [[first, 4], [third, 5]],
    ]
    return [{"batches": [[["a", 1]], [], [["b", 2]], [["a", 3]]]}, {"batches": longer}]
