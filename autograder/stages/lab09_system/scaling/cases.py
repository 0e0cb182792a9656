"""Seeded cases of `Autoscaler`: its rules, and ticks [offered per s, per instance per s, lag, gone instances].

rules: busy_percent, drain_s, quiet_ticks, least, most, size.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Tick = list[Any]
DAYS = ("1", "3", "5", "6", "7", "8")  # seeds of days on which a system without a reserve falls behind
MACHINES = 3


def _case(rules: list[int], *ticks: Tick, **more: Any) -> Case:
    return {"rules": rules, "ticks": [[*tick[:3], tick[3] if len(tick) > 3 else []] for tick in ticks], **more}


def loads(seed: str) -> list[Case]:
    """Return loads and lags at which one record more needs one instance more; nothing is remembered (quiet 1)."""
    rng = random_for(seed, "loads")
    exact = [[100, 60, 1, 1, 50, 100], [2100, 100, 0], [2101, 100, 0], [0, 100, 0], [3000, 100, 60_000], [1, 100, 0]]
    reserve = [[70, 60, 1, 1, 50, 100], [21, 10, 0], [210, 100, 0], [211, 100, 0], [7 * 10**12, 10**12, 0]]
    floats = [[29, 60, 1, 1, 50, 100], [29, 100, 0], [58, 100, 0], [59, 100, 0], [290, 1000, 0], [291, 1000, 0]]
    limits = [[50, 10, 1, 2, 5, 250], [0, 100, 0], [100, 100, 0], [101, 100, 0], [250, 100, 0], [251, 100, 0]]
    huge = [[70, 60, 1, 1, 20, 250], [10**17 * 7, 10**17, 0], [10**17 * 7 + 1, 10**17, 0], [0, 10**17, 10**17 * 60 + 1]]
    lags = [[70, 60, 1, 1, 8, 250], [1000, 500, 60_000], [1000, 500, 60_001], [0, 500, 30_000], [0, 500, 30_001]]
    return [
        _case([70, 60, 1, 1, 8, 250], [1000, 500, 0], [1000, 500, 60_000]),
        _case([70, 60, 1, 0, 8, 250], [0, 100, 0]),  # nothing to do for anybody
        *(_case(*each) for each in (exact, reserve, floats, limits, huge, lags)),
        *(_drawn(rng, quiet=1, gone=False) for _ in range(5)),
    ]


def quiet(seed: str) -> list[Case]:
    """Return loads that fall, with peaks that are just remembered, or just forgotten."""
    rng = random_for(seed, "quiet")
    small = _case([70, 60, 3, 1, 8, 250], [1000, 500, 60_000], *[[1000, 500, 0]] * 3)
    peaks = _case([100, 60, 2, 1, 9, 100], *([100 * each, 100, 0] for each in (5, 3, 4, 1, 1, 2, 1, 1)))
    return [small, peaks, *(_drawn(rng, quiet=rng.randint(2, 6), gone=False) for _ in range(6))]


def packing(seed: str) -> list[Case]:
    """Return loads that rise and fall by several instances, on workers for 1 to 8 instances."""
    rng = random_for(seed, "packing")
    small = _case([100, 60, 1, 1, 8, 500], *([100 * each, 100, 0] for each in (3, 2, 4, 1, 3)))
    whole = _case([100, 60, 1, 1, 8, 1000], *([100 * each, 100, 0] for each in (3, 1, 2)))
    many = _case([100, 60, 1, 1, 13, 333], *([100 * each, 100, 0] for each in (13, 5, 12)))
    seventh = _case([100, 60, 1, 1, 9, 143], *([100 * each, 100, 0] for each in (8, 6, 9)))  # 7 need 1,001
    tenth = _case([100, 60, 1, 1, 12, 125], *([100 * each, 100, 0] for each in (10, 9)))  # "desk-10" < "desk-9"
    return [small, whole, tenth, many, seventh, *(_drawn(rng, quiet=1, gone=False) for _ in range(6))]


def lost(seed: str) -> list[Case]:
    """Return instances that are gone: of each worker, unknown ones, and some while the load falls."""
    rng = random_for(seed, "lost")
    rules = [100, 60, 1, 1, 8, 500]
    four, two, six = [400, 100, 0], [200, 100, 0], [600, 100, 0]
    first_worker = _case(rules, four, [*four, ["desk-1", "desk-2"]], [*four, ["desk-1", "desk-9"]])
    last_worker = _case(rules, four, [*four, ["desk-4"]], two, four)
    falling = _case(rules, six, [*two, ["desk-2", "desk-5"]], [*six, ["desk-1"]])
    hollow = _case(rules, six, [*four, ["desk-1", "desk-2"]], four, six)  # an empty worker below two full ones
    drawn = (_drawn(rng, quiet=rng.randint(1, 4), gone=True) for _ in range(8))
    twice = _case(rules, four, [*four, ["desk-1", "desk-1"]])
    return [_case(rules, four, [*four, ["desk-1"]]), twice, first_worker, last_worker, falling, hollow, *drawn]


def days(seed: str) -> list[Case]:
    """Return one day: a burst in which a worker dies, and a hot key."""
    day = random_for(seed, "days").choice(DAYS)
    return [{"day": day, "plan": [[20, "burst"], [45, "python-worker"], [250, "hot-key"]], "end_s": 420}]


def remembered(seed: str) -> list[Case]:
    """Return the cases of `quiet`, with the learner's SlidingMax."""
    return [case | {"with": "SlidingMax"} for case in quiet(f"{seed} remembered")]


def first_fit(seed: str) -> list[Case]:
    """Return the cases of `packing`, with the learner's FirstFit."""
    return [case | {"with": "FirstFit"} for case in packing(f"{seed} first fit")]


def dead_machines(seed: str) -> list[Case]:
    """Return loads during which a machine dies, before the tick `dies_at`; its instances are gone."""
    rng = random_for(seed, "dead machines")
    small = _case([100, 60, 1, 1, 8, 500], *[[400, 100, 0]] * 3)
    made = [small] + [_drawn(rng, quiet=3, gone=False) for _ in range(4)]
    found = []
    for at, case in enumerate(made):
        dies_at = rng.randrange(4, 30) if at else 1
        found.append(case | {"with": "heal", "dies_at": dies_at, "machine": f"m{rng.randrange(2) if at else 0}"})
    return found


def blocked(seed: str) -> list[Case]:
    """Return loads in hundreds of records, which go through the connector's buffer of `buffer` hundreds."""
    rng = random_for(seed, "blocked")
    small = _case([70, 60, 2, 1, 8, 250], [1_000, 500, 0], [1_000, 500, 60_000], *[[1_000, 500, 0]] * 2)
    loads = [[100 * rng.randint(5, 30), 250, rng.choice([0, 0, 9_000])] for _ in range(8)]
    other = _case([70, 30, 2, 1, 12, 250], *loads, [500, 250, 0], [500, 250, 0], [500, 250, 0], [9_000, 250, 0])
    return [{**small, "with": "deliver", "buffer": 2}, {**other, "with": "deliver", "buffer": rng.randint(0, 4)}]


def _drawn(rng: random.Random, *, quiet: int, gone: bool) -> Case:
    least, size = rng.randint(1, 2), rng.choice([125, 250, 333, 500, 1000])
    rules = [rng.choice([50, 70, 100]), rng.choice([5, 30]), quiet, least, rng.randint(4, 12), size]
    ticks, offered = list[Tick](), 400
    for _ in range(30):
        offered = rng.choice([0, 100, 400, 900]) if rng.random() < 0.3 else offered
        names = [f"desk-{rng.randint(1, 12)}" for _ in range(rng.randint(1, 3))] if gone and rng.random() < 0.2 else []
        ticks.append([offered, rng.choice([100, 150]), rng.choice([0, 0, 50, 5_000]), names])
    return _case(rules, *ticks)
