"""Seeded cases of `ReplicatedPartition`: sequences of events, smallest first.

A follower is often exactly `lag_ms` late, or one more. Values repeat, since a record is not identified by its value.
"""

import random
from collections.abc import Sequence
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.replication.oracle import leaders

LAG_MS = 10
STEPS_MS = (0, 1, 5, LAG_MS, LAG_MS + 1)
SEQUENCES, SHORTEST, LONGEST = 40, 4, 43


def watermarks(seed: str) -> list[Case]:
    """Return appends and fetches of a few entries, without any fault."""
    small = [
        _case([*_appends("ab", 1), ["fetch", 1, 1, 1]], replicas=2),
        _case([*_appends("aab", 1), ["fetch", 1, 1, 3], ["fetch", 2, 1, 2]]),
        _case(_appends("ab", 1), replicas=1),
    ]
    return [*small, *_drawn(seed, "watermarks", {"append": 3, "fetch": 4}, acks=[1])]


def stored(seed: str) -> list[Case]:
    """Return records with each kind of acks, with and without a leader, and with too few replicas in sync."""
    leaderless = [["elect", [], 1, False], *_appends("a", 0)]
    few = [["fetch", 1, 11, 1], ["shrink", 11]]
    back = [["fetch", 2, 12, 9], ["fetch", 1, 12, 9]]
    small = [
        _case(_appends("a", 0), replicas=2),
        _case(_appends("a", 1), replicas=2),
        _case([*_appends("a", "all"), ["fetch", 1, 1, 1], *_appends("b", "all")], replicas=2),
        _case([*leaderless, *_appends("b", 1), *_appends("c", "all"), ["fetch", 1, 1, 1]]),
        _case([*_appends("a", "all"), *few, *_appends("b", "all"), *back, *_appends("c", "all")], min_isr=3),
        _case([*_appends("ab", "all"), ["elect", [1], 1, False], ["elect", [0], 2, True]], replicas=2),
    ]
    return [*small, *_drawn(seed, "stored", {"append": 4, "fetch": 5, "shrink": 1})]


def lagging(seed: str) -> list[Case]:
    """Return followers that fetch too late, exactly in time, often but never to the end, and that come back."""
    ab = _appends("ab", 1)
    small = [
        _case([["shrink", LAG_MS], ["shrink", LAG_MS + 1]], replicas=2),
        _case([["fetch", 1, 11, 0], ["shrink", 20]], replicas=2),
        _case([*ab, ["fetch", 1, 9, 1], ["shrink", 11], ["fetch", 1, 12, 1], ["shrink", 22], ["shrink", 23]]),
        _case([*ab, ["fetch", 1, 3, 2], ["shrink", 13], ["shrink", 14], ["fetch", 1, 14, 1]], min_isr=2),
    ]
    return [*small, *_drawn(seed, "lagging", {"append": 3, "fetch": 5, "shrink": 2}, acks=[1])]


def clean(seed: str) -> list[Case]:
    """Return elections of in-sync brokers only, with followers that have entries of their own to delete."""
    unequal = [*_appends("aab", 1), ["fetch", 1, 1, 3], ["fetch", 2, 1, 1]]
    small = [
        _case([*_appends("a", 1), ["elect", [1], 1, False]], replicas=2),
        _case([*unequal, ["elect", [2], 2, False], *_appends("ab", 1), ["fetch", 1, 3, 1], ["fetch", 1, 3, 9]]),
        _case([["shrink", 11], ["elect", [1, 2], 12, False], ["elect", [2, 1, 0], 12, False]]),
        _case([["elect", [2, 1], 20, False], ["shrink", 30], ["shrink", 31]]),
    ]
    return [*small, *_drawn(seed, "clean", {"append": 4, "fetch": 5, "shrink": 1, "elect": 2})]


def unclean(seed: str) -> list[Case]:
    """Return elections in which a broker may lead that is not in sync."""
    late = [*_appends("ab", 1), ["shrink", 11]]
    back = [*_appends("c", 1), ["fetch", 0, 13, 9], ["fetch", 2, 13, 9]]
    small = [
        _case([*late, ["elect", [2, 1], 12, True], *back]),
        _case([*_appends("ab", 1), ["fetch", 2, 1, 1], ["shrink", 11], ["elect", [1, 2], 12, True]]),
        _case([*late, ["elect", [], 12, True], ["elect", [1], 12, False], ["elect", [0, 1], 12, True]], replicas=2),
        _case([*_appends("a", "all"), ["shrink", 11], ["elect", [1], 12, True], *_appends("b", 1)], replicas=2),
    ]
    kinds = {"append": 4, "fetch": 4, "shrink": 3, "elect": 4}
    return [*small, *_drawn(seed, "unclean", kinds, unclean=True)]


def _case(events: list[Any], *, replicas: int = 3, min_isr: int = 1) -> Case:
    return {"replicas": replicas, "min_isr": min_isr, "lag_ms": LAG_MS, "events": events}


def _appends(values: str, acks: int | str) -> list[Any]:
    return [["append", value, acks] for value in values]


def _drawn(
    seed: str, name: str, kinds: dict[str, int], *, acks: Sequence[int | str] = (0, 1, "all"), unclean: bool = False
) -> list[Case]:
    """Return random sequences, each one event longer than the one before it."""
    rng, found = random_for(seed, f"replicas, {name}"), []
    for length in range(SHORTEST, SHORTEST + SEQUENCES):
        replicas, now_ms, events = rng.randint(2, 4), 0, list[Any]()
        for _ in range(length):
            now_ms += rng.choice(STEPS_MS)
            kind = rng.choices(list(kinds), list(kinds.values()))[0]
            events.append([kind, *_arguments(rng, kind, replicas, now_ms, acks, unclean)])
        found.append(_without_fetches_of_the_leader(_case(events, replicas=replicas, min_isr=rng.choice((1, 1, 2)))))
    return found


def _without_fetches_of_the_leader(case: Case) -> Case:
    """Leave out the fetches that no rule describes; they change nothing, so the other states stay the same."""
    steps = zip(case["events"], leaders(case), strict=True)
    return {**case, "events": [event for event, leader in steps if event[:2] != ["fetch", leader]]}


def _arguments(
    rng: random.Random, kind: str, replicas: int, now_ms: int, acks: Sequence[int | str], unclean: bool
) -> list[Any]:
    if kind == "append":
        return [rng.choice("ab"), rng.choice(acks)]
    if kind == "fetch":
        return [rng.randrange(replicas), now_ms, rng.choice((1, 2, 9))]
    if kind == "shrink":
        return [now_ms]
    alive = rng.sample(range(replicas), 1 if unclean else rng.randint(1, replicas))
    return [alive, now_ms, unclean and rng.random() < 0.9]
