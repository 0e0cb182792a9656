"""Cases of `size`: stages [name, µs per record, percent of the hottest key] and a load."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

EXAMPLE = [["parse", 20], ["desk", 150, 5]]


def _case(stages: list[Any], peak: int, busy: int = 70, outage: int = 0, drain: int = 1) -> Case:
    return {"stages": stages, "peak_per_s": peak, "busy_percent": busy, "outage_s": outage, "drain_s": drain}


def loads(seed: str) -> list[Case]:
    """Return loads without a hot key that matters, some of which fill their instances exactly."""
    rng = random_for(seed, "loads")
    exact = rng.randint(2, 9)
    return [
        _case(EXAMPLE, 20_000, outage=30, drain=60),
        _case([["a", 100]], 10_000, busy=100),
        _case([["a", 100]], 21_000),  # 2.1 / 0.7 is 3, and 3.0000000000000004 in floats
        _case([["a", 100], ["b", 10, 1]], 21_000),  # the largest stage has no keys
        _case([["a", 1]], 1_000_001, busy=100),
        _case([["a", 10, 1], ["b", 100, 1], ["c", 50]], 50_000),
        _case([["free", 0], ["free, too", 0, 0]], 1),
        _case([["a", 1, 100]], 1, busy=1),
        _case([["a", 100]], 10_000, outage=60, drain=60),  # drains with exactly 2
        _case([["a", 100], ["b", 100, 1]], 10_001, outage=60, drain=60),
        _case([["a", 30], ["b", 7]], 30_000, busy=100, outage=1, drain=1000),
        _case([["a", 1000]], 1000 * exact - 1, busy=100, outage=1, drain=100_000),
        *(_drawn(rng) for _ in range(40)),
    ]


def _drawn(rng: random.Random) -> Case:
    """Return a load whose hottest key has at most 1 % of the records, so that it fits into one instance."""
    stages = [[f"s{at}", rng.randint(1, 400), rng.choice([0, 0, 1])] for at in range(rng.randint(1, 4))]
    outage, drain = rng.choice([(0, 1), (1, 1), (30, 60), (600, 300), (1, 300), (7, 9)])
    return _case(stages, rng.randint(1, 30_000), rng.choice([50, 70, 80, 100]), outage, drain)


def hot_keys(seed: str) -> list[Case]:
    """Return stages whose hottest key just fits, or just does not fit, when steady and when draining."""
    rng = random_for(seed, "hot keys")
    fits = [rng.randint(2, 30) for _ in range(8)]
    return [
        _case([["hot", 100, 60]], 20_000, drain=10),
        _case([["hot", 100, 50]], 14_000, drain=10),
        _case([["hot", 100, 50]], 14_001, drain=10),
        _case([["hot", 100, 30]], 20_000, outage=30, drain=20),  # it fits as long as nothing stops
        _case([["hot", 100, 30]], 20_000, outage=0, drain=20),
        _case([["hot", 100, 40]], 10_000, outage=30, drain=20),
        _case([["hot", 100, 40]], 10_001, outage=30, drain=20),
        _case([["a", 100], ["b", 10, 1], ["hot", 100, 100]], 7_001),
        _case([["a", 100], ["b", 10, 1], ["hot", 100, 100]], 7_000),
        *(_case([["hot", 100, each]], 700_000 // each + at % 2) for at, each in enumerate(fits)),
    ]


def invalid_loads(seed: str) -> list[Case]:
    """Return loads that are invalid, and valid ones at the limits."""
    far = random_for(seed, "invalid loads").randint(2, 99)
    peaks = [_case(EXAMPLE, peak) for peak in (1, 0, -far)]
    shares = [_case(EXAMPLE, 1, busy=busy) for busy in (1, 0, -far, 100, 101, 100 + far)]
    outages = [_case(EXAMPLE, 1, outage=outage) for outage in (0, -1, -far)]
    drains = [_case(EXAMPLE, 1, outage=1, drain=drain) for drain in (1, 0, -far)]
    return [*peaks, *shares, *outages, *drains, _case([], 1)]
