"""Seeded cases of `deliver`: arrivals, service time, buffer and policy, smallest first.

Only `ties` and `any_source` have ties (an arrival at the instant of a completion), so that a wrong rule for ties costs
one check.
"""

import random
from collections.abc import Iterable
from itertools import combinations_with_replacement

from autograder.checks import Case
from autograder.checks.seeds import random_for

POLICIES = ("drop", "block")
SERVICE_MS = 10
APART_MS = (0, 3, 14, 17, 28)  # no two have the same last digit: a completion never falls on an arrival
ON_THE_TICK_MS = (0, 10, 20, 30)


def sources(seed: str) -> list[Case]:
    """Return a source without messages, every small source without ties under both policies, then some longer ones."""
    rng = random_for(seed, "sources")
    small = [_case(arrivals, SERVICE_MS, size, policy) for arrivals, size, policy in _every_small(APART_MS, (0, 1, 2))]
    in_turn = [_case([0, 3, 4, 27], SERVICE_MS, 2, policy) for policy in POLICIES]  # two wait, one is served
    return [*_empty(), *small, *in_turn, *_longer(rng, 24)]


def ties(seed: str) -> list[Case]:
    """Return arrivals at the instants of completions, where a message gets the place that just became free."""
    rng = random_for(seed, "ties")
    small = [_case(arrivals, SERVICE_MS, size, "drop") for arrivals, size, _ in _every_small(ON_THE_TICK_MS, (0, 1))]
    longer = [sorted(rng.choices(range(0, 100, 5), k=12)) for _ in range(10)]
    return [*small[::2], *(_case(arrivals, SERVICE_MS, 1, "drop") for arrivals in longer)]


def is_one_tie(case: Case) -> bool:
    """Return whether the second of two messages arrives at the instant at which the service of the first ends."""
    arrivals_ms = case["arrivals_ms"]
    return len(arrivals_ms) == 2 and arrivals_ms[1] - arrivals_ms[0] == case["service_ms"]


def any_source(seed: str) -> list[Case]:
    """Return a source without messages, then sources of every kind."""
    rng = random_for(seed, "any source")
    crowded = [sorted(rng.choices(range(60), k=size)) for size in (1, 2, 3, 3, 4, 4, 6, 8, 12, 20)]
    made = [_case(arrivals, SERVICE_MS, rng.randint(0, 3), each) for arrivals in crowded for each in POLICIES]
    return [*_empty(), *made]


def wrong_arguments(seed: str) -> list[Case]:
    """Return one invalid argument each, also without messages, then the nearest valid ones of each policy."""
    rng = random_for(seed, "wrong arguments")
    return [
        _case([0], SERVICE_MS, 1, "wait"),
        _case([0], 0, 1, "drop"),
        _case([0], SERVICE_MS, -1, "drop"),
        _case([1, 0], SERVICE_MS, 1, "drop"),
        _case([0], SERVICE_MS, 1, ""),
        _case([0], -rng.randint(1, 99), 1, "block"),
        _case([0], SERVICE_MS, -rng.randint(2, 9), "block"),
        _case([0, 5, 9, rng.randint(0, 8)], SERVICE_MS, 1, "block"),
        _case([], SERVICE_MS, 1, "wait"),
        _case([], 0, 1, "drop"),
        _case([], SERVICE_MS, -1, "block"),
        *(_case([0, 0], 1, 0, policy) for policy in POLICIES),
    ]


def _empty() -> list[Case]:
    return [_case([], SERVICE_MS, 1, policy) for policy in POLICIES]


def _every_small(times_ms: Iterable[int], sizes: tuple[int, ...]) -> list[tuple[list[int], int, str]]:
    """Return all sources of one to three messages at `times_ms`, with every buffer size and policy."""
    return [
        (list(arrivals), size, policy)
        for count in (1, 2, 3)
        for arrivals in combinations_with_replacement(times_ms, count)
        for size in sizes
        for policy in POLICIES
    ]


def _longer(rng: random.Random, count: int) -> list[Case]:
    made = []
    for number in range(count):
        arrivals = _apart(rng, rng.randint(4, 16), service_ms=100)
        made.append(_case(arrivals, 100, rng.randint(0, 4), POLICIES[number % 2]))
    return sorted(made, key=lambda case: len(case["arrivals_ms"]))


def _apart(rng: random.Random, count: int, service_ms: int) -> list[int]:
    """Return arrivals of which no two differ by a multiple of `service_ms`, so that none meets a completion."""
    now_ms, taken = 0, set[int]()
    arrivals: list[int] = []
    while len(arrivals) < count:
        now_ms += rng.choice([1, 7, 20, 60, 150])
        if now_ms % service_ms not in taken:
            taken.add(now_ms % service_ms)
            arrivals += [now_ms] * min(rng.choice([1, 1, 1, 2, 3]), count - len(arrivals))
    return arrivals


def _case(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> Case:
    return {"arrivals_ms": arrivals_ms, "service_ms": service_ms, "buffer_size": buffer_size, "policy": policy}
