"""Cases of `post_mortem`: seconds [from_s, to_s), and changes [from_s, to_s, fields] of the drive's calm samples."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

KINDS = ("burst", "skew", "log", "store", "slow store", "job", "leader", "worker", "poison", "clock")
SYMPTOMS: dict[str, dict[str, Any]] = {
    "burst": {"offered": [900, 1000]},
    "skew": {"offered": [0, 0, 400, 0]},
    "log": {"log_errors": 3, "offered": [0, 0]},
    "store": {"store_errors": 5, "store_ms": 1},
    "slow store": {"store_ms": 60},
    "worker": {"retries": 1},
    "poison": {"unreadable": 2},
    "clock": {"ahead": 4},
}
HIGH = {"lag": [5, 900]}
Fault = tuple[str, int, int]  # kind, from_s, to_s
Change = list[Any]


def _case(from_s: int, to_s: int, *changes: Change, **options: int) -> Case:
    return {"seconds": [from_s, to_s], "changes": list(changes), **options}


def symptoms_of(faults: list[Fault], end_s: int, epoch: int = 1, term: int = 1) -> list[Change]:
    """Return the changes that these faults make, in the order of time; epochs and terms stay high."""
    changes = []
    for kind, from_s, to_s in faults:
        term += kind == "leader"
        epoch += kind in ("leader", "job")
        risen = {"epoch": epoch, "term": term}
        changes.append([from_s, to_s, SYMPTOMS[kind]] if kind in SYMPTOMS else [from_s, end_s, risen])
    return changes


def plan(rng: random.Random, count: int = 5) -> tuple[list[Fault], int]:
    """Return faults that are at least 8 s apart, and the end of their timeline. A job and a leader take one second."""
    faults, at_s = list[Fault](), rng.randint(30, 40)
    for kind in rng.sample(KINDS, count):
        to_s = at_s + (1 if kind in ("job", "leader") else rng.randint(1, 9))
        faults.append((kind, at_s, to_s))
        at_s = to_s + rng.randint(8, 30)
    return faults, at_s + 60


def plans(seed: str) -> list[tuple[list[Fault], Case]]:
    """Return timelines with the faults from which they are made."""
    rng = random_for(seed, "plans")
    planned = [plan(rng) for _ in range(12)]
    return [(faults, _case(0, end_s, *symptoms_of(faults, end_s))) for faults, end_s in planned]


def faults(seed: str) -> list[Case]:
    """Return one fault of each kind, faults at the limits of their symptoms, two at once, and whole plans."""
    rng = random_for(seed, "faults")
    at_s = rng.randint(15, 20)
    single = [_case(0, 60, *symptoms_of([(kind, at_s, at_s + 1)], 60)) for kind in KINDS]
    usual: list[Change] = [[0, 40, {"offered": [100, 110]}], [10, 20, {"offered": [99, 101]}], [0, 9, {"store_ms": 1}]]
    limits: list[dict[str, Any]] = [
        {"offered": [300, 300]},
        {"offered": [299, 300]},
        {"offered": [25, 75]},
        {"offered": [0, 100]},
    ]
    limits += [{"offered": [10, 10, 10, 30]}, {"offered": [10, 10, 10, 29]}, {"store_ms": 20}, {"store_ms": 19}]
    return [
        _case(0, 30, [12, 15, {"unreadable": 1}]),
        _case(0, 0),
        _case(5, 6, [5, 6, {"ahead": 1}]),
        _case(100, 130),
        *single,
        *(_case(0, 40, [20, 22, each]) for each in limits),
        _case(500, 540, [500, 502, {"ahead": 1}], [538, 540, {"retries": 2}]),
        _case(0, 40, *usual, [30, 33, {"offered": [310, 320]}]),
        _case(0, 4, [1, 4, {"offered": [300, 300]}]),  # usual is the first of four values, and the second of five
        _case(0, 5, [1, 5, {"offered": [300, 300]}]),
        _case(0, 4, [1, 4, {"store_ms": 20}]),
        _case(0, 5, [1, 5, {"store_ms": 20}]),
        _case(0, 60, *symptoms_of([("clock", 9, 12), ("store", 9, 10), ("leader", 9, 10), ("burst", 9, 10)], 60)),
        _case(0, 60, *symptoms_of([("store", 10, 20), ("worker", 12, 15), ("store", 30, 32)], 60)),
        _case(7, 50, [7, 50, {"epoch": 5, "term": 3}]),  # high from the start: nothing rose
        _case(0, 50, *symptoms_of([("job", 10, 11), ("leader", 25, 26), ("job", 26, 27), ("leader", 40, 41)], 50)),
        *(case for _, case in plans(seed)),
    ]


def causes(seed: str) -> list[Case]:
    """Return seconds in which a symptom that several faults share shows only one of them, or none."""
    lag = random_for(seed, "causes").randint(500, 9000)
    return [
        _case(0, 30, [10, 15, {"lag": [lag, lag]}]),
        _case(0, 30, [10, 11, {"offered": [100, 100, 1900, 100], "lag": [5, lag]}]),  # skew, and no burst
        _case(0, 30, [10, 11, {"offered": [900, 1000], "lag": [lag, lag]}]),  # a burst, and no skew
        _case(0, 30, [10, 11, {"store_errors": 1, "store_ms": 100}]),
        _case(0, 30, [10, 11, {"store_ms": 100}]),
        _case(0, 30, [10, 30, {"epoch": 1001, "term": 2}]),
        _case(0, 30, [10, 30, {"epoch": 2}]),
        _case(0, 30, [0, 10, {"epoch": 5}]),  # what falls does not rise
        _case(0, 30, [0, 10, {"term": 5}]),
        _case(0, 30, [0, 10, {"term": 5}], [10, 30, {"epoch": 2}]),
        _case(0, 30, [0, 10, {"epoch": 5}], [20, 30, {"epoch": 3}]),  # higher than a second ago, not than ever
        _case(0, 30, [10, 11, {"log_errors": 1, "offered": [0, 0], "lag": [lag, 0]}]),  # nothing offered: no skew
        _case(0, 30, [10, 30, {"retries": 1}], [11, 30, {"retries": 0, "lag": [lag, lag]}]),
        _case(0, 30, [10, 11, {"unreadable": 1, "ahead": 1}]),
    ]


def pauses(seed: str) -> list[Case]:
    """Return faults that are seen in some of their seconds only, with pauses up to the longest one and beyond."""
    rng = random_for(seed, "pauses")
    probes = [[at_s, at_s + 1, {"store_errors": 1}] for at_s in (10, 16, 22, 29, 37)]  # 5, 5, 6, and 7 s of pause
    drawn = sorted(rng.sample(range(20, 120), 15))
    return [
        _case(0, 60, [20, 22, {"store_errors": 1}], [28, 29, {"store_errors": 1}]),
        _case(0, 60, [20, 22, {"store_errors": 1}], [29, 30, {"store_errors": 1}]),
        _case(0, 60, *probes),
        *(_case(0, 60, *probes, pause_s=pause_s) for pause_s in (0, 4, 5, 7)),
        _case(0, 60, [20, 21, {"ahead": 1}], [22, 23, {"ahead": 1}], pause_s=0),
        _case(
            0, 60, [20, 21, {"ahead": 1}], [23, 24, {"retries": 1}], [25, 26, {"ahead": 1}], [31, 32, {"retries": 1}]
        ),
        *(_case(0, 160, *([s, s + 1, {"ahead": 1}] for s in drawn), pause_s=pause_s) for pause_s in (3, 6)),
    ]


def recoveries(seed: str) -> list[Case]:
    """Return faults after which the lag is back at once, later, for a second only, or not at all; one of each kind."""
    rng = random_for(seed, "recoveries")
    late_s = rng.randint(25, 50)
    store = [20, 22, {"store_errors": 1}]
    return [
        _case(0, 60, store, [20, 30, HIGH]),
        _case(0, 60, store),
        _case(0, 60, store, [10, 40, HIGH]),
        _case(0, 60, store, [20, 60, HIGH]),
        _case(0, 22, store, [21, 22, HIGH]),
        _case(100, 160, [120, 122, {"ahead": 1}], [121, 100 + late_s, HIGH]),
        _case(0, 60, store, [20, 25, HIGH], [25, 30, {"lag": [4, 0]}]),  # exactly twice the usual
        _case(0, 60, store, [20, 25, HIGH], [25, 30, {"lag": [3, 2]}]),
        _case(0, 60, store, [22, 30, HIGH], [26, 27, {"lag": [1, 0]}]),
        _case(0, 60, [0, 60, {"lag": [0, 0]}], store, [20, 31, {"lag": [0, 1]}]),
        _case(0, 4, [0, 1, {"lag": [3, 0], "ahead": 1}], [1, 4, {"lag": [10, 0]}], [3, 4, {"lag": [6, 0]}]),
        _case(0, 5, [0, 1, {"lag": [3, 0], "ahead": 1}], [1, 4, {"lag": [8, 0]}], [3, 4, {"lag": [6, 0]}]),
        _case(0, 60, [10, 11, {"ahead": 1}], [20, 21, {"retries": 1}], [10, 15, HIGH], [20, late_s, HIGH]),
        _case(0, 60, [10, 11, {"ahead": 1}], [20, 21, {"retries": 1}], [10, late_s, HIGH]),
    ]
