"""Scripts for `Profiler` and `Predictor`, smallest first. Loads, lengths and times come from the seed."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

DOCUMENTED = {
    "rises_slowly": 2.0,
    "rises_fast": 5.0,
    "falls_fast": -2.0,
    "long_queue": 10,
    "pause_s": 10.0,
    "few": 1,
    "many": 2,
}
Calls = list[list[Any]]


def means(seed: str) -> list[Case]:
    """Return the example, unevenly loaded workers (the mean of means differs), and ticks without engines."""
    rng = random_for(seed, "means")
    script = [["a", [[2, 800], [1, 100]]], ["a", [[1, 900]]], ["a", [[1, 10]]]]
    uneven = [["a", [[3, 300], [1, rng.randint(500, 900)]]], ["a", [[1, 7]]], ["b", [[2, 401]]]]
    empty = [["a", [[1, 200]]], ["a", []], ["a", [[0, 0]]], ["a", [[0, 0], [1, 400]]], ["a", None]]
    return [_profile(script, 2), _profile(uneven, 5), _profile(empty, 2), _profile(_loads(rng, 25), 3)]


def changes(seed: str) -> list[Case]:
    """Return 200 and then 800; one load for a long time and then another; a window of 1; and two images."""
    rng = random_for(seed, "changes")
    short = [["a", [[1, 200]]]] * 3 + [["a", [[1, 800]]]] * 3
    before = rng.randint(100, 300)
    long = [["a", [[4, 4 * before]]]] * 60 + [["a", [[2, 1600]]]] * 10
    apart = [["a", [[1, 100]]], ["b", [[1, 500]]]] * 4 + [["b", [[1, 300]]]] * 4 + [["a", None]]
    return [_profile(short, 3), _profile(long, 10), _profile(_loads(rng, 8), 1), _profile(apart, 4)]


def limited(seed: str) -> list[Case]:
    """Return a default, loads below, at and above the limits, and equal limits.

    A profile remembers the loads, not their limited values.
    """
    rng = random_for(seed, "limited")
    known = [["a", None], ["a", [[1, 300]]], ["b", None]]
    low = [["a", [[1, wants]]] for wants in (3, 19, 20, 21, 0, 90, rng.randint(100, 200))]
    high = [["a", [[1, wants]]] for wants in (999, 1000, 1001, 1400, rng.randint(100, 200))]
    cases = [_profile(known, 2), _profile([["a", [[1, 0]]]], 2), _profile(low, 2), _profile(high, 2)]
    cases += [{**_profile(high, 2), "limits": [2, 400, 300, 500]}, {**_profile(known, 1), "limits": [1, 7, 7, 7]}]
    cases += [{**_profile(low, 2), "limits": [2, 1, 1, 50]}]
    return [*cases, {**_profile(high, 2), "limits": [2, 125, 20]}]


def chained(seed: str) -> list[Case]:
    """Return the example with the learner's own sums of Lab 2, and a longer script."""
    rng = random_for(seed, "chained")
    script = [["a", [[2, 800], [1, 100]]], ["a", [[1, 900]]], ["a", [[1, 10]]]]
    return [{**each, "sums": "lab02"} for each in (_profile(script, 2), _profile(_loads(rng, 30), 4))]


def _loads(rng: random.Random, count: int) -> list[Any]:
    images = ["a", "b", "c"]
    return [
        [rng.choice(images), [[rng.randint(1, 6), rng.randint(10, 3000)] for _ in range(rng.randint(1, 3))]]
        for _ in range(count)
    ]


def _profile(script: list[Any], window: int) -> Case:
    return {"sums": "test double", "limits": [window, 125, 20, 1000], "script": script}


def boundaries(seed: str) -> list[Case]:
    """Return each rule at its boundary and on both sides of it, each for a new image, and random rules."""
    rng = random_for(seed, "boundaries")
    first: Calls = [["a", 1, 0], ["a", 2, 3], ["a", 3, 8], ["a", 13, 50]]
    edges: Calls = []
    steps = [
        (0, 2),
        (0, 3),
        (0, 5),
        (0, 6),
        (10, 10),
        (10, 12),
        (11, 11),
        (13, 11),
        (14, 11),
        (40, 11),
        (5, 11),
        (9, 11),
    ]
    for before, after in steps:
        edges += [[f"i{len(edges)}", 1, before, before], [f"i{len(edges)}", 2, after]]
    rules = {
        "rises_slowly": rng.choice([0.5, 1.0]),
        "rises_fast": rng.choice([3.0, 4.5]),
        "falls_fast": rng.choice([-4.0, -0.5]),
        "long_queue": rng.randint(3, 6),
        "pause_s": 0.0,
        "few": 3,
        "many": 7,
    }
    lengths = [rng.choice([*range(14), 30, 60]) for _ in range(60)]
    walk = [["a", now_s, length] for now_s, length in enumerate(lengths)]
    return [_predict(first), _predict(edges), _predict(walk, rules), _predict(walk)]


def pauses(seed: str) -> list[Case]:
    """Return pauses that end on time, one per image, fractional times, and a queue that changes in a pause.

    No length and no rate is a boundary of a rule.
    """
    rng = random_for(seed, "pauses")
    ends: Calls = [["a", 1, 50], ["a", 2, 50], ["a", 10, 50], ["a", 11, 50], ["a", 12, 50]]
    images: Calls = [["a", 1, 50], ["b", 2, 50], ["c", 2, 1], ["c", 3, 7], ["a", 4, 50], ["b", 4, 50], ["b", 12, 50]]
    fractions: Calls = [["a", at, 30] for at in (0.0, 2.25, 2.5, 2.75, 4.75, 5.0)]
    meanwhile: Calls = [["a", 0, 20], ["a", 5, 90], ["a", 9, 4], ["a", 10, 8], ["a", 11, 13]]
    some = [["ab"[rng.randrange(2)], now_s, rng.choice([0, 7, 81])] for now_s in range(40)]
    cases = [_predict(ends), _predict(images), _predict(fractions, {**DOCUMENTED, "pause_s": 2.5})]
    return [*cases, _predict(meanwhile), _predict(some, {**DOCUMENTED, "pause_s": 4})]


def coming(seed: str) -> list[Case]:
    """Return short queues, engines under way, and a call that requests nothing and so starts no pause.

    No length and no rate is a boundary of a rule.
    """
    rng = random_for(seed, "coming")
    many = {**DOCUMENTED, "few": 4, "many": 8}
    few: Calls = [["a", 1, 11, 0], ["a", 11, 11, 8], ["b", 1, 0, 0], ["b", 2, 6, 0], ["c", 1, 15]]
    under_way: Calls = [["a", 1, 12, 12], ["a", 2, 12, 20], ["a", 3, 12, 11], ["a", 4, 12, 0], ["a", 13, 12, 5]]
    lengths = [0]
    while len(lengths) < 40:
        length = rng.randint(0, 25)
        if length != many["long_queue"] and length - lengths[-1] not in (2, 5, -2):
            lengths.append(length)
    some = [["a", now_s, length, rng.randint(0, 25)] for now_s, length in enumerate(lengths)]
    return [_predict(few, many), _predict(under_way, many), _predict(some, {**many, "pause_s": 2})]


def rates(seed: str) -> list[Case]:
    """Return different intervals between calls, first calls, and times that do not increase and change nothing."""
    rng = random_for(seed, "rates")
    rules = {**DOCUMENTED, "pause_s": 0.0}
    apart: Calls = [["a", 1, 0], ["a", 1.5, 2], ["a", 2, 3], ["a", 5, 9], ["a", 9, 9], ["a", 10, 11]]
    first: Calls = [["a", 100, 9], ["b", 100, 50], ["a", 101, 11], ["c", 0, 6], ["c", 1, 8], ["c", 2, 11]]
    back: Calls = [["a", 5, 0], ["a", 5, 9], ["a", 4, 9], ["a", 6, 4], ["b", 4, 0], ["b", 4.5, 3], ["a", 8, 8]]
    times = sorted(rng.sample(range(200), 40))
    some = [["a", at / 4, rng.randint(0, 12)] for at in times]
    return [
        _predict([["a", -5, 30]]),
        _predict(apart, rules),
        _predict(first, rules),
        _predict(back, rules),
        _predict(some, rules),
    ]


def _predict(calls: Calls, rules: dict[str, Any] = DOCUMENTED) -> Case:
    return {"rules": rules, "calls": calls}
