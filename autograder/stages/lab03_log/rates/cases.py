"""Seeded cases of `highest_rate` and `rate_limit`, smallest first.

A system under search has a capacity or a script of delays: [rate, delay in seconds] in the order of play. `_scripted`
derives the rates from the delays, so that every rate is the one that the rule asks for.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.rates.oracle import search

# highest_rate


def climbing(seed: str) -> list[Case]:
    """Return systems that keep up at first, far, near and right below their capacity, with each step of the rule."""
    rng = random_for(seed, "climbing")
    edges = [_scripted(100.0, 2.0, [2.0 * share, 1.9]) for share in (0.005, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7)]
    return [
        _capacity(100, 1.0, 105.0),
        _capacity(10, 1.0, 19.0),
        _scripted(100.0, 2.0, [1.5], most_runs=1),
        *edges,
        _scripted(100.0, 2.0, [1.8], most_runs=9),
        _scripted(100.0, 1.0, [0.0, 0.95]),
        _capacity(1, 2.0, 54_321.0),
        *(_capacity(rng.randint(1, 99), 0.5, rng.uniform(100, 10**6)) for _ in range(4)),
    ]


def too_fast(seed: str) -> list[Case]:
    """Return systems that are too slow for the first rate, never keep up, or are slow once, with few runs."""
    rng = random_for(seed, "too fast")
    start = float(rng.randint(3, 99) * 2**20)
    return [
        _capacity(100, 1.0, 53.0),
        _capacity(100, 1.0, 100.0),  # as long as the interval is too long
        _scripted(64.0, 1.0, [1.0, 0.95]),
        _scripted(64.0, 1.0, ["inf", "inf", 0.95]),
        _scripted(64.0, 1.0, [0.2, 9.0, 9.0], most_runs=3),
        _scripted(64.0, 1.0, [0.2, 9.0, 0.6, 9.0], most_runs=4),
        _scripted(64.0, 1.0, [9.0, 9.0, 9.0], most_runs=3),
        _scripted(64.0, 1.0, [0.001], most_runs=1),
        _scripted(64.0, 1.0, [1.0], most_runs=1),
        _scripted(64.0, 1.0, [1.5], most_runs=1),
        _scripted(64.0, 1.0, [0.3, 0.2, 5.0, 0.7, 0.7], most_runs=5),
        _capacity(start, 0.25, rng.uniform(1, 9)),
        _capacity(64, 1.0, 1e-30),
    ]


def measuring(seed: str) -> list[Case]:
    """Return delays that no clock gives, and stable rates above the limit; at the limit, or too slow, is no error."""
    rng = random_for(seed, "measuring")
    limit = rng.randint(200, 900)
    return [
        _scripted(100.0, 1.0, [-0.5]),
        _scripted(100.0, 1.0, ["nan"]),
        _scripted(100.0, 1.0, [0.95], limit_per_s=99.0),
        _scripted(100.0, 1.0, [0.95], limit_per_s=100.0),
        _scripted(100.0, 1.0, [9.0, 0.95], limit_per_s=50.0),
        _scripted(100.0, 1.0, [1.0, 0.95], limit_per_s=50.0),
        _scripted(100.0, 1.0, [1.5, 0.95], limit_per_s=50.0),
        _scripted(100.0, 1.0, [0.05, 0.3], limit_per_s=400.0),
        _scripted(100.0, 1.0, [0.3, 0.3, -0.001]),
        _capacity(10, 1.0, 10_000.0, limit_per_s=float(limit)),
        _capacity(10, 1.0, limit / 2, limit_per_s=float(limit)),
    ]


def _capacity(start_per_s: float, interval_s: float, capacity_per_s: float, **more: Any) -> Case:
    return {"start_per_s": start_per_s, "interval_s": interval_s, "capacity_per_s": capacity_per_s, **more}


def _scripted(start_per_s: float, interval_s: float, delays_s: list[Any], **more: Any) -> Case:
    """Return delays in the order of play, each with the rate that the rule asks for next."""
    case = {"start_per_s": start_per_s, "interval_s": interval_s, "most_runs": len(delays_s), **more}
    runs = search({**case, "delays": [[None, delay_s] for delay_s in delays_s]}).runs
    return {**case, "delays": [[rate, delay_s] for rate, delay_s in zip(runs, delays_s, strict=True)]}


# rate_limit


def limits(seed: str) -> list[Case]:
    """Return each of the three as the bound, two or three that are equal, and work without CPU time."""
    rng = random_for(seed, "limits")
    return [
        _limit(100, 0.5, 2, 10**6, 10**6),
        _limit(10**6, 0.5, 2, 10**6, 10**6),
        _limit(100, 0.5, 2, 10**6, 3.0),
        _limit(100, 0, 2, 10**9, 5000),
        _limit(1, 1e-7, 1, 10**12, 10**9),
        _limit(1, 0, 1, 10**12, 10**10),
        _limit(10**7, 0.0, 1, 10**8, 5000),
        _limit(100, 0.5, 2, 400, 4),  # all three are 4 a second
        _limit(1, 0.25, 1, 10**6, 4),
        _limit(250, 0, 1, 1000, 4),
        *(_any_limit(rng) for _ in range(6)),
    ]


def _any_limit(rng: random.Random) -> Case:
    cpu_s = rng.choice([0.0, rng.uniform(1e-6, 1)])
    return _limit(rng.randint(1, 10**7), cpu_s, rng.randint(1, 64), rng.uniform(1e3, 1e9), rng.uniform(1, 1e6))


def _limit(size_bytes: int, cpu_s: float, cores: int, bytes_per_s: float, framework_per_s: float) -> Case:
    return {
        "size_bytes": size_bytes,
        "cpu_s": cpu_s,
        "cores": cores,
        "bytes_per_s": bytes_per_s,
        "framework_per_s": framework_per_s,
    }
