"""The right answers: the plan of an operator, the fewest moves, the bound of a balance."""

from itertools import pairwise
from typing import Any

from autograder.stages.lab04_subqueries.balancing.comparators import helpful_moves


def plan(case: dict[str, Any], port: int) -> list[Any]:
    """Return the plan for one input, [kind, fields]."""
    fields = case["keys"][port]
    if case["instances"] == 1:
        return ["point to point", []]
    if not case["stateful"]:
        return ["round robin", []]
    if fields is None:
        return ["round robin", []] if port == 0 else ["broadcast", []]
    return ["route key", fields]


# Owners


def is_valid_load(case: dict[str, Any]) -> bool:
    """Return whether loads and owners fit each other."""
    loads, owners = case["loads"], case["owners"]
    return case["instances"] >= 1 and len(loads) == len(owners) and all(each >= 0 for each in [*loads, *owners])


def lowest_load(case: dict[str, Any]) -> float:
    """Return a bound that no largest load can be below: an equal share, or the heaviest bucket."""
    return max(sum(case["loads"]) / case["instances"], *case["loads"])


def fewest_moves(case: dict[str, Any]) -> int | None:
    """Return how many buckets must change their owner, or None if this is unknown.

    It is known if no move helps, or if all loads are equal.
    """
    loads, owners, instances = case["loads"], case["owners"], case["instances"]
    gone = sum(owner >= instances for owner in owners)
    if not gone and not helpful_moves(loads, owners, instances):
        return 0
    if any(one != other for one, other in pairwise(loads)) or not loads or loads[0] == 0:
        return None
    share, larger = divmod(len(loads), instances)
    counts = [owners.count(instance) for instance in range(instances)]
    kept = sum(min(count, share) for count in counts) + min(larger, sum(count > share for count in counts))
    return len(loads) - kept
