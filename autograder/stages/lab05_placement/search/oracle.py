"""The right answers about placements: whole costs by definition, and the optimum by branch and bound."""

import json
from collections import defaultdict
from functools import cache
from math import inf
from typing import Any

from autograder.stages.lab05_placement.bottleneck import oracle as bottleneck
from autograder.stages.lab05_placement.placing.comparators import by_metis, links_of
from autograder.stages.lab05_placement.search.drive_problems import topology_of
from streamlab.lab05_placement.numa import round_robin

Problem = dict[str, Any]
CPU_US = MEMORY_US = 10  # per tuple, the latter for memory at the distance 10


def cost(placement: dict[str, Any], problem: Problem) -> float:
    """Return the cost of all traffic: bytes/s times the distance from the reader's node to the sender's."""
    nodes, rows = problem["machine"]["nodes"], problem["machine"]["rows"]
    at = {instance: nodes.index(node) for instance, node in placement.items() if node in nodes}
    total: float = sum(amount * rows[at[receiver]][at[sender]] for sender, receiver, amount in problem["traffic"])
    return total


def first_placement(problem: Problem) -> dict[str, int]:
    """Return the placement by the rule, with a sum over the whole traffic for each candidate and each node."""
    nodes, at = problem["machine"]["nodes"], dict[str, int]()
    while left := [name for name in problem["instances"] if name not in at]:
        pulls = [sum(x for *ends, x in problem["traffic"] if name in ends and at.keys() & set(ends)) for name in left]
        chosen, best = left[pulls.index(max(pulls))], inf
        room = [node for node, n in zip(nodes, problem["machine"]["cores"], strict=True) if _taken(at, node) < n]
        for node in room:
            tried = {**at, chosen: node}
            links = [link for link in problem["traffic"] if {*link[:2]} <= tried.keys()]
            if (price := cost(tried, {**problem, "traffic": links})) < best:
                best, to = price, node
        at[chosen] = to
    return at


def _taken(at: dict[str, int], node: int) -> int:
    return list(at.values()).count(node)


def savings(problem: Problem) -> dict[str, list[list[Any]]]:
    """Return for each instance its moves and swaps, and by how much each lowers the whole cost."""
    now, machine = problem["placement"], problem["machine"]
    paid, found = cost(now, problem), dict[str, list[list[Any]]]()
    rooms = zip(machine["nodes"], machine["cores"], strict=True)
    free = [node for node, cores in rooms if _taken(now, node) < cores]
    for instance, here in now.items():
        changes = [{instance: node} for node in free if node != here]
        changes += [{instance: node, other: here} for other, node in now.items() if node != here]
        found[instance] = [[change, paid - cost({**now, **change}, problem)] for change in changes]
    return found


def prices(machine: dict[str, Any]) -> dict[tuple[int, int], int]:
    """Return the cost of a byte, by the sender's node and the receiver's."""
    nodes, rows = machine["nodes"], machine["rows"]
    return {(sender, nodes[at]): row[nodes.index(sender)] for at, row in enumerate(rows) for sender in nodes}


def metis_cost(problem: Problem) -> float:
    """Return the cost of a graph partitioner's placement."""
    return cost(by_metis(problem), problem)


def readable(problem: Problem, times: float) -> dict[str, float]:
    """Return what each receiver may read, in tuples × distance per source event.

    More of it would lower the modelled throughput to less than `times` that of round robin.
    """
    placement = round_robin(problem["instances"], topology_of(problem["machine"]))
    model = problem | {"placement": placement, "cpu_us": CPU_US, "memory_us": MEMORY_US}
    longest_us = 1e6 / (times * (bottleneck.events_per_s(model) or inf))
    tuples = defaultdict[str, float](float)
    for _, receiver, amount in problem["traffic"]:
        tuples[receiver] += amount
    return {receiver: 10 * (longest_us - CPU_US * amount) / MEMORY_US for receiver, amount in tuples.items()}


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
