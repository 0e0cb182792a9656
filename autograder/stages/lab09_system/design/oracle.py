"""The right answers: one instance more until it is enough, in exact fractions; and one record at a time."""

import math
from fractions import Fraction
from typing import Any


def size(case: dict[str, Any]) -> list[Any] | None:
    """Return [instances, partitions, drain_ms]; None if a hot key needs more than one instance."""
    stages = [(name, Fraction(cost_us, 1_000_000), hottest) for name, cost_us, hottest in map(_stage, case["stages"])]
    if any(not _is_enough(1, cost_s * hottest / 100, case) for _, cost_s, hottest in stages):
        return None
    instances = {name: _fewest(cost_s, case) for name, cost_s, _ in stages}
    drains_ms = [0]
    for name, cost_s, _ in stages if case["outage_s"] else []:
        backlog = case["peak_per_s"] * cost_s * case["outage_s"]
        drains_ms.append(math.ceil(1000 * backlog / (instances[name] - case["peak_per_s"] * cost_s)))
    keyed = [instances[name] for name, _, hottest in stages if hottest]
    return [instances, 2 * max(keyed or [1]), max(drains_ms)]


def is_valid(case: dict[str, Any]) -> bool:
    """Return whether this load can be sized."""
    in_range = case["peak_per_s"] > 0 and case["busy_percent"] in range(1, 101)
    return bool(case["stages"]) and in_range and case["outage_s"] >= 0 and case["drain_s"] > 0


def _stage(fields: list[Any]) -> list[Any]:
    return [*fields, 0][:3]


def _fewest(cost_s: Fraction, case: dict[str, Any]) -> int:
    count = 1
    while not _is_enough(count, cost_s, case):
        count += 1
    return count


def _is_enough(cores: int, cost_s: Fraction, case: dict[str, Any]) -> bool:
    busy = case["peak_per_s"] * cost_s
    drained = (cores - busy) * case["drain_s"]
    return busy <= cores * Fraction(case["busy_percent"], 100) and drained >= busy * case["outage_s"]


def admitted(case: dict[str, Any]) -> dict[str, int] | None:
    """Return the records granted to each queue, one by one; None for invalid arguments."""
    waiting, ranks, room = case["waiting"], case["ranks"], case["room"]
    if room < 0 or case["least"] < 0:
        return None
    granted = dict.fromkeys(waiting, 0)
    for is_first_round in (True, False):
        for rank in sorted(set(ranks.values())):
            names = [name for name in waiting if ranks[name] == rank]
            while room and not (is_first_round and sum(granted[name] for name in names) >= case["least"]):
                hungry = [name for name in names if granted[name] < waiting[name]]
                if not hungry:
                    break
                granted[min(hungry, key=lambda name: (granted[name], name))] += 1
                room -= 1
    return granted


def of_ranks(case: dict[str, Any]) -> dict[str, int]:
    """Return the records granted to each rank."""
    granted, totals = admitted(case) or {}, dict[str, int]()
    for name, count in granted.items():
        totals[str(case["ranks"][name])] = totals.get(str(case["ranks"][name]), 0) + count
    return totals
