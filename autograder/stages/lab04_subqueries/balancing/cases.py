"""Seeded cases of `bucket_of`, `balancer_for` and `rebalance`, smallest first.

In cases of `bucket_of` each row has a `group`: the rows of a group belong in the same bucket. A row may have `fields`
of its own, in place of those of its case.
"""

import random
from collections import Counter
from itertools import pairwise
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for
from autograder.checks.two_sandboxes import in_two_sandboxes

FIELDS = ["k", "g"]
BUCKETS = 64

# bucket_of


def named(seed: str) -> list[Case]:
    """Return rows that differ in other fields only or in the named ones, no fields, and several numbers of buckets."""
    rng = random_for(seed, "named")
    words = rng.sample(VOCABULARY, 20)
    rows = [{"group": w, "k": w, "g": g, "t": rng.randrange(9999)} for w in words for g in ("x", "y")]
    both = [{"group": f"{w} {g}", "k": w, "g": g, "t": t} for w in words for g in ("x", None) for t in (1, 2)]
    swapped = [{"group": f"{a}/{b}", "k": a, "g": b, "t": 1} for a in words[:6] for b in words[:6]]
    second = [{"group": w, "k": "same", "g": w, "t": t} for w in words for t in (1, 2)]
    renamed = [{"group": w, name: w, "fields": [name]} for w in words for name in ("ip", "client")]
    turned: list[dict[str, Any]] = [{"group": f"{a}/{b}", "k": a, "g": b} for a, b in pairwise(words)]
    turned += [{"group": row["group"], "g": row["k"], "k": row["g"], "fields": ["g", "k"]} for row in turned]
    return [
        {"rows": rows[:4], "fields": ["k"], "buckets": BUCKETS},
        {"rows": renamed, "fields": ["ip"], "buckets": BUCKETS},
        {"rows": turned, "fields": FIELDS, "buckets": BUCKETS},
        {"rows": rows, "fields": ["k"], "buckets": BUCKETS},
        {"rows": both, "fields": FIELDS, "buckets": BUCKETS},
        {"rows": second, "fields": FIELDS, "buckets": BUCKETS},
        {"rows": swapped, "fields": FIELDS, "buckets": BUCKETS},
        {"rows": [{**row, "group": "all"} for row in rows], "fields": [], "buckets": BUCKETS},
        {"rows": [{**row, "group": "all"} for row in rows], "fields": ["k"], "buckets": 1},
        {"rows": rows, "fields": ["k"], "buckets": rng.randint(20, 60)},
    ]


def processes(seed: str) -> list[Case]:
    """Return texts, numbers and None, whose buckets are computed in two processes and two sandboxes."""
    rng = random_for(seed, "processes")
    values = [*rng.sample(VOCABULARY, 12), None, -7, 2**70, 0.5, "", "ß", rng.randint(1, 10**6)]
    rows = [{"group": repr(value), "k": value} for value in values]
    return [in_two_sandboxes({"rows": rows, "fields": ["k"], "buckets": BUCKETS, "processes": True})]


def equal(seed: str) -> list[Case]:
    """Return equal values of different types, and values that only look alike."""
    number = random_for(seed, "equal").randint(2, 999)
    one, zero = [1, 1.0, True], [0, 0.0, -0.0, False]
    some = [[number, float(number)], [-3, -3.0], [2**53, float(2**53)], [10**15, 1e15]]
    filler = [[f"text {at}"] for at in range(20)]
    large = [[10**400], [-(10**400)]]
    return [
        {"rows": _groups([one, ["a"], ["b"], ["c"], *filler]), "fields": ["k"], "buckets": BUCKETS},
        {"rows": _groups([one, zero, *some, *filler]), "fields": ["k"], "buckets": BUCKETS},
        {"rows": _groups([one, zero, *some, *large, [0.5], ["1"], *filler]), "fields": ["k"], "buckets": 9973},
    ]


def _groups(groups: list[list[Any]]) -> list[dict[str, Any]]:
    return [{"group": repr(values[0]), "k": value} for values in groups for value in values]


def many(seed: str) -> list[Case]:
    """Return keys that differ by a number at their end or by one letter, multiples of a step, and equal pairs."""
    prefix = f"10.{random_for(seed, 'many').randrange(256)}.0."
    kinds: list[list[Any]] = [["prefix", prefix], ["prefix", "user-"], ["prefix", ""]]
    kinds += [["step", 0.01], ["step", BUCKETS], ["step", 1e-6], ["letter", "\u4e00"]]
    made: list[Case] = [{"kind": each, "keys": 6400, "fields": ["k"], "buckets": BUCKETS} for each in kinds]
    return [*made, {**made[1], "fields": FIELDS}]


# balancer_for


def keyed(seed: str) -> list[Case]:
    """Return stateful operators with fields on each side, or with none, where all rows meet."""
    instances = random_for(seed, "keyed").randint(2, 9)
    keys: list[list[Any]] = [[["k"]], [["k", "g"]], [["ip"], ["client"]], [["a", "b"], ["c", "d"]], [[]], [[], []]]
    return [_operator(True, each, number) for each in keys for number in (instances, 1)]


def stateless(seed: str) -> list[Case]:
    """Return stateless operators with one input and with several."""
    instances = random_for(seed, "stateless").randint(2, 9)
    return [_operator(False, keys, number) for keys in ([None], [None, None], [["k"]]) for number in (instances, 1)]


def any_pair(seed: str) -> list[Case]:
    """Return stateful operators whose rows may meet any row of the other input."""
    instances = random_for(seed, "any pair").randint(2, 9)
    return [_operator(True, keys, number) for keys in ([None, None], [None, None, None]) for number in (instances, 1)]


def _operator(stateful: bool, keys: list[Any], instances: int) -> Case:
    return {"stateful": stateful, "keys": keys, "instances": instances}


# rebalance


def loads(seed: str) -> list[Case]:
    """Return instances that come and go, two that are fullest, skewed loads, zero loads, and no buckets."""
    rng = random_for(seed, "loads")
    made = [
        _loads([9, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1], 2),
        _loads([10, 1, 1, 1, 1], [0, 0, 0, 1, 1], 2),
        _loads([5, 5, 5], [0, 1, 2], 2),
        _loads([3, 2, 5], [2, 2, 2], 2),
        _loads([1, 8, 7], [2, 2, 2], 3),
        _loads([3, 0, 4], [7, 5, 0], 2),
        _loads([7, 7, 2], [0, 0, 0], 1),
        _loads([], [], 3),
        _loads([0, 0, 0], [0, 0, 4], 2),
        _loads([5, 5, 5, 5], [0, 0, 1, 1], 3),
    ]
    return [*made, *(_skewed(rng) for _ in range(20))]


def settled(seed: str) -> list[Case]:
    """Return loads that no move improves, and loads that are all equal."""
    rng = random_for(seed, "settled")
    equal = [
        _loads([8] * 4, [0, 0, 0, 1], 2),
        _loads([2] * 7, [0] * 7, 3),
        _loads([1] * 9, [3, 0, 0, 1, 4, 3, 0, 1, 2], 3),
    ]
    balanced = [_loads([5, 5], [0, 1], 2), _loads([100, 1], [0, 1], 2), _loads([6, 4, 3, 3], [0, 0, 1, 1], 2)]
    balanced.append(_loads([10, 0], [0, 0], 2))
    for _ in range(8):
        instances, weight = rng.randint(2, 5), rng.randint(1, 9)
        equal.append(_loads([weight] * 20, [rng.randrange(instances + 1) for _ in range(20)], instances))
        balanced.append(_loads([50, 50, *([1] * instances)], [*range(2), *range(instances)], max(2, instances)))
    return [*equal[:1], *balanced, *equal[1:], *(_dealt(rng) for _ in range(6))]


def _dealt(rng: random.Random) -> Case:
    """Return skewed loads that are dealt in turns; few moves are enough."""
    weights = [1000 // rank for rank in range(1, 129)]
    rng.shuffle(weights)
    return {**_loads(weights, [bucket % 4 for bucket in range(128)], 4), "most_moves": 16}


def zipf(seed: str) -> list[Case]:
    """Return streams at Zipf 1, hashed to 64 buckets, before some instances are added or removed.

    The numbers of instances are those for which the rule alone implies 0.9 of the bound (proved in tests).
    """
    rng = random_for(seed, "zipf")
    made = []
    for before, instances in ((1, 12), (1, 2), (20, 2), (1, 16), (2, 16), (6, 12)):
        weights = [1 / rank for rank in range(1, rng.choice([500, 1000]) + 1)]
        bucket_of_ip = [rng.randrange(BUCKETS) for _ in weights]
        hits = Counter(rng.choices(bucket_of_ip, weights, k=rng.choice([5_000, 20_000])))
        made.append(_loads([hits[b] for b in range(BUCKETS)], [b % before for b in range(BUCKETS)], instances))
    return made


def invalid_loads(seed: str) -> list[Case]:
    """Return too few instances, lists of different lengths, a negative load or owner, and valid ones."""
    below = -random_for(seed, "invalid loads").randint(2, 99)
    wrong = [([1], [0], 0), ([1], [0], below), ([1, 2], [0], 2), ([1], [0, 1], 2), ([4, -1], [0, 1], 2), ([], [], 0)]
    wrong += [([4, 1], [0, -1], 2), ([0], [below], 1)]
    right = [([4, 0], [0, 1], 2), ([3, 2, 1], [0, 0, 2], 2)]
    return [_loads(*each) for each in (wrong[0], *right, *wrong[1:])]


def _skewed(rng: random.Random) -> Case:
    """Return loads that follow Zipf's law, dealt in turns over instances of which some may be new or gone."""
    buckets, before = rng.choice([8, 16, 32]), rng.randint(2, 6)
    weights = [1000 // rank for rank in range(1, buckets + 1)]
    rng.shuffle(weights)
    return _loads(weights, [bucket % before for bucket in range(buckets)], rng.randint(2, 6))


def _loads(loads: list[int], owners: list[int], instances: int) -> Case:
    return {"loads": loads, "owners": owners, "instances": instances}
