"""Reports of a metric server, smallest first. Each case is a Spark job, so the cases are few and hold many pairs."""

import random
from itertools import chain
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Report = list[Any]


def growing(seed: str) -> list[Case]:
    """Return the example, and a case of many pairs.

    The pairs have their own pauses, both directions, one without traffic, and one with a single report.
    """
    rng = random_for(seed, "growing")
    some = [_pair(f"s{n}", f"r{n}", _times(rng, 5), _totals(rng, 5)) for n in range(4)]
    back = _pair("r0", "s0", [0, 250], [0, 2**53 + 1])
    idle = _pair("idle", "r0", [5, 1005], [70, 70])
    return [
        _case(_pair("a", "b", [0, 1000, 2000], [0, 1000, 3000])),
        _case([*chain(back, idle, [["x", "y", 5, 9]], *some)]),
    ]


def restarted(seed: str) -> list[Case]:
    """Return the example, and restarts at once, twice, down to 0, and at the previous total."""
    rng = random_for(seed, "restarted")
    totals = ([5, 3], [9, 4, 8, 2], [7, 0, 0, 6], [6, 6, 1], [rng.randint(500, 900), rng.randint(1, 400), 450])
    pairs = [_pair(f"s{n}", "r", [1000 * at for at in range(len(of))], of) for n, of in enumerate(totals)]
    return [_case(_pair("a", "b", [0, 1000, 2000], [5000, 6000, 500])), _case([*chain(*pairs)])]


def repeated(seed: str) -> list[Case]:
    """Return shuffled reports with repeats, a report that came three times and is the only one, and no reports."""
    rng = random_for(seed, "repeated")
    reports = [row for n in range(3) for row in _pair(f"s{n}", "r", _times(rng, 6), _totals(rng, 6))]
    again = reports + rng.sample(reports, 9) + [["once", "r", 7, 7]] * 3
    rng.shuffle(again)
    return [_case(_pair("a", "b", [2000, 0, 2000], [3000, 0, 3000])), _case(again), _case([])]


def _pair(sender: str, receiver: str, times_ms: list[int], totals: list[int]) -> list[Report]:
    return [[sender, receiver, at_ms, total] for at_ms, total in zip(times_ms, totals, strict=True)]


def _times(rng: random.Random, count: int) -> list[int]:
    return sorted(rng.sample(range(10_000), count))


def _totals(rng: random.Random, count: int) -> list[int]:
    return sorted(rng.randrange(10**6) for _ in range(count))


def _case(reports: list[Report]) -> Case:
    return {"reports": reports}
