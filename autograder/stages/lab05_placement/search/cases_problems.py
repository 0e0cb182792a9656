"""Placement problems as plain data: machines, and traffic with and without structure.

A machine is {"nodes": numbers, "cores": how many each, "rows": distances}; traffic is a list of
[sender, receiver, bytes/s].
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from streamlab.lab05_placement.numa.topology import bullion_rows
from streamlab.lab05_placement.numa.traffic import query_traffic

Machine = dict[str, Any]

SOCKETS = [[10, 21], [21, 10]]
UNEVEN = [[10, 20, 30], [25, 10, 20], [40, 25, 10]]  # no real machine; shows whether rows and columns are confused
PAIRS = [[10, 15, 40, 40], [15, 10, 40, 40], [40, 40, 10, 15], [40, 40, 15, 10]]
HOPS = [[10, 12, 32, 32], [12, 10, 32, 32], [32, 32, 10, 12], [32, 32, 12, 10]]


def machine(rows: list[list[int]], cores: Sequence[int], nodes: Sequence[int] = ()) -> Machine:
    """Return a machine with these distances; its nodes are 0, 1, … by default."""
    return {"nodes": list(nodes) or list(range(len(rows))), "cores": list(cores), "rows": rows}


def bullion(nodes: int, cores_each: int) -> Machine:
    """Return a machine with the distances of the Bullion: 10, 15 within a pair, 40 elsewhere."""
    return machine(bullion_rows(nodes), [cores_each] * nodes)


def problem(instances: list[str], traffic: Mapping[tuple[str, str], float], where: Machine) -> dict[str, Any]:
    """Return a problem in the form of a case."""
    return {"instances": instances, "traffic": [[a, b, x] for (a, b), x in traffic.items()], "machine": where}


def of_queries(rng: random.Random, count: int, where: Machine, **options: Any) -> dict[str, Any]:
    """Return traffic as queries produce it, with the instances in random order."""
    instances, traffic = query_traffic(str(rng.random()), count, **options)
    rng.shuffle(instances)
    return problem(instances, traffic, where)


def tangled(rng: random.Random, count: int, where: Machine, density: float = 0.35) -> dict[str, Any]:
    """Return traffic without any structure."""
    instances = [f"i{number:02}" for number in range(count)]
    pairs = [(a, b) for a in instances for b in instances if a != b and rng.random() < density]
    return problem(instances, {pair: rng.randint(1, 1000) for pair in pairs}, where)


def small(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Return problems of 8 to 10 instances, on three machines with 10 cores and on one with 13."""
    machines = [machine(HOPS, [3, 3, 2, 2]), machine(PAIRS, [3, 3, 2, 2])]
    machines += [machine(UNEVEN, [4, 3, 3]), machine(UNEVEN, [5, 4, 4])]
    made = []
    for number in range(count):
        many = 10 - rng.choice([0, 0, 1, 2])
        made.append((of_queries if number // 4 % 2 else tangled)(rng, many, machines[number % 4]))
    return made
