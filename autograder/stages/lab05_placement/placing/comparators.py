"""Compares placements by the total cost of their traffic and by the steps that would lower it, for given prices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from autograder.stages.lab05_placement.search.drive_problems import topology_of, traffic_of
from streamlab.lab05_placement.numa.metis import metis

Problem = dict[str, Any]
Prices = Mapping[tuple[int, int], float]  # (the sender's node, the receiver's node) -> cost of a byte
LEAST = 1e-6  # a search may miss steps that save less than this share of the total


def total(placement: Mapping[str, Any], problem: Problem, prices: Prices) -> float:
    """Return the cost of all traffic."""
    return sum(_price(placement, prices, *link) for link in problem["traffic"])


def reads_at_most(placement: Mapping[str, Any], problem: Problem, prices: Prices, most: Mapping[str, float]) -> bool:
    """Return whether the links into each receiver cost at most what `most` allows it."""
    left = dict(most)
    for sender, receiver, amount in problem["traffic"]:
        left[receiver] -= _price(placement, prices, sender, receiver, amount)
    return min(left.values(), default=0) >= 0


def helpful_step(placement: dict[str, int], problem: Problem, prices: Prices) -> tuple[str, float] | None:
    """Return a move or swap that lowers the cost, in words, and how much it saves; None if no step does."""
    least, links = LEAST * total(placement, problem, prices), links_of(problem)
    for description, step in _steps(placement, problem["machine"]):
        after = {**placement, **step}
        changed = {link for instance in step for link in links[instance]}
        saved = sum(_price(placement, prices, *link) - _price(after, prices, *link) for link in changed)
        if saved > least:
            return description, saved
    return None


def _price(placement: Mapping[str, Any], prices: Prices, sender: str, receiver: str, amount: float) -> float:
    return amount * prices[placement[sender], placement[receiver]]


def _steps(placement: dict[str, int], machine: Any) -> Iterator[tuple[str, dict[str, int]]]:
    used = Counter(placement.values())
    free = [node for node, count in zip(machine["nodes"], machine["cores"], strict=True) if used[node] < count]
    for instance, at in placement.items():
        yield from ((f"moving {instance} to node {node}", {instance: node}) for node in free if node != at)
    for a, b in combinations(placement, 2):
        if placement[a] != placement[b]:
            yield f"swapping {a} and {b}", {a: placement[b], b: placement[a]}


def by_metis(problem: Problem) -> dict[str, int]:
    """Return the placement of a graph partitioner."""
    return metis(problem["instances"], traffic_of(problem), topology_of(problem["machine"]))


def links_of(problem: Problem) -> dict[str, list[tuple[str, str, float]]]:
    """Return the links of each instance that has any."""
    links: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for sender, receiver, amount in problem["traffic"]:
        links[sender].append((sender, receiver, amount))
        links[receiver].append((sender, receiver, amount))
    return links
