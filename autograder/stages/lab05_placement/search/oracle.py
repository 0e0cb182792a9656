"""The right answers about placements: the cost by its definition, and the optimum by branch and bound."""

import json
from collections import defaultdict
from functools import cache
from math import inf
from typing import Any

from autograder.stages.lab05_placement.placing.comparators import by_metis, links_of

Problem = dict[str, Any]


def cost(placement: dict[str, Any], problem: Problem) -> float:
    """Return the cost of all traffic: bytes/s times the distance from the reader's node to the sender's."""
    nodes, rows = problem["machine"]["nodes"], problem["machine"]["rows"]
    at = {instance: nodes.index(node) for instance, node in placement.items() if node in nodes}
    total: float = sum(amount * rows[at[receiver]][at[sender]] for sender, receiver, amount in problem["traffic"])
    return total


def is_valid(problem: Problem) -> bool:
    """Return whether each instance that sends or receives is on a node of the machine."""
    nodes, placement = problem["machine"]["nodes"], problem["placement"]
    return all(placement.get(each) in nodes for row in problem["traffic"] for each in row[:2])


def gain(a: str, b: str, problem: Problem) -> float:
    """Return the difference of two costs."""
    now = problem["placement"]
    return cost(now, problem) - cost({**now, a: now[b], b: now[a]}, problem)


def prices(machine: dict[str, Any]) -> dict[tuple[int, int], int]:
    """Return the cost of a byte, by the sender's node and the receiver's."""
    nodes, rows = machine["nodes"], machine["rows"]
    return {(sender, nodes[at]): row[nodes.index(sender)] for at, row in enumerate(rows) for sender in nodes}


def metis_cost(problem: Problem) -> float:
    """Return the cost of a graph partitioner's placement."""
    return cost(by_metis(problem), problem)


def optimum(problem: Problem) -> float:
    """Return the lowest cost of all placements, by branch and bound; suited to about ten instances."""
    return _optimum(json.dumps(problem))


@cache  # half a second each, and needed again for each version of a task
def _optimum(as_json: str) -> float:
    problem: Problem = json.loads(as_json)
    rows, free = problem["machine"]["rows"], list(problem["machine"]["cores"])
    order = _order(problem)
    later = {instance: at for at, instance in enumerate(order)}
    paid_at: list[list[tuple[int, int, float]]] = [[] for _ in order]
    for sender, receiver, amount in problem["traffic"]:
        paid_at[max(later[sender], later[receiver])].append((later[sender], later[receiver], amount))
    floor = [sum(10 * amount for paid in paid_at[at:] for *_, amount in paid) for at in range(len(order) + 1)]
    best, at_node = inf, [0] * len(order)

    def place_from(at: int, so_far: float) -> None:
        nonlocal best
        if at == len(order):
            best = so_far
            return
        tries = []
        for node in (node for node, cores in enumerate(free) if cores):
            at_node[at] = node
            tries.append((sum(x * rows[at_node[b]][at_node[a]] for a, b, x in paid_at[at]), node))
        for more, node in sorted(tries):
            if so_far + more + floor[at + 1] >= best:
                return
            at_node[at] = node
            free[node] -= 1
            place_from(at + 1, so_far + more)
            free[node] += 1

    place_from(0, 0)
    return best


def _order(problem: Problem) -> list[str]:
    """Return the instances ordered so that each one has the most traffic to those before it."""
    order, pull, links = list[str](), defaultdict[str, float](float), links_of(problem)
    left = list(problem["instances"])
    while left:
        chosen = max(left, key=lambda each: (pull[each], sum(amount for *_, amount in links[each]), each))
        left.remove(chosen)
        order.append(chosen)
        for sender, receiver, amount in links[chosen]:
            pull[receiver if sender == chosen else sender] += amount
    return order


# throughput


def events_per_s(case: Problem) -> float | None:
    """Return source events per second; None if nobody is busy, or an instance has no node of the machine."""
    nodes, rows, placement = case["machine"]["nodes"], case["machine"]["rows"], case["placement"]
    receivers = {receiver for _, receiver, _ in case["traffic"]}
    placed_senders = {sender for sender, _, _ in case["traffic"]} & placement.keys()
    if any(placement.get(instance) not in nodes for instance in receivers | placed_senders):
        return None
    times = []
    for busy in {receiver for _, receiver, _ in case["traffic"]}:
        own = [(sender, tuples) for sender, receiver, tuples in case["traffic"] if receiver == busy]
        row = rows[nodes.index(placement[busy])]
        waits = [row[nodes.index(placement[s])] if s in placement else 10 for s, _ in own]
        read = sum(tuples * wait / 10 for (_, tuples), wait in zip(own, waits, strict=True))
        times.append(case["cpu_us"] * sum(tuples for _, tuples in own) + case["memory_us"] * read)
    return 1e6 / max(times) if max(times, default=0) > 0 else None
