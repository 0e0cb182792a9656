"""Problems of placement as plain data: machines, and traffic with structure and without.

A machine is {"nodes": numbers, "cores": how many each, "rows": distances}; traffic is a list of
[sender, receiver, bytes/s].
"""

import random
from collections.abc import Sequence
from typing import Any

from streamlab.numa.topology import bullion_rows
from streamlab.numa.traffic import query_traffic

Machine = dict[str, Any]

SOCKETS = [[10, 21], [21, 10]]
UNEVEN = [[10, 20, 30], [25, 10, 20], [40, 25, 10]]  # no machine is so; it tells rows from columns
PAIRS = [[10, 15, 40, 40], [15, 10, 40, 40], [40, 40, 10, 15], [40, 40, 15, 10]]
HOPS = [[10, 12, 32, 32], [12, 10, 32, 32], [32, 32, 10, 12], [32, 32, 12, 10]]


def machine(rows: list[list[int]], cores: Sequence[int], nodes: Sequence[int] = ()) -> Machine:
    """A machine with these distances; its nodes are 0, 1, … if none are given."""
    return {"nodes": list(nodes) or list(range(len(rows))), "cores": list(cores), "rows": rows}


def bullion(nodes: int, cores_each: int) -> Machine:
    """Distances of the Bullion: 10, 15 within a pair, 40 elsewhere."""
    return machine(bullion_rows(nodes), [cores_each] * nodes)


def problem(instances: list[str], traffic: dict[tuple[str, str], int], where: Machine) -> dict[str, Any]:
    """A problem as a case holds it."""
    return {"instances": instances, "traffic": [[a, b, x] for (a, b), x in traffic.items()], "machine": where}


def of_queries(chance: random.Random, count: int, where: Machine, **options: Any) -> dict[str, Any]:
    """Traffic as queries make it; the instances in any order."""
    instances, traffic = query_traffic(str(chance.random()), count, **options)
    chance.shuffle(instances)
    return problem(instances, traffic, where)


def tangled(chance: random.Random, count: int, where: Machine, density: float = 0.35) -> dict[str, Any]:
    """Traffic without any structure."""
    instances = [f"i{number:02}" for number in range(count)]
    pairs = [(a, b) for a in instances for b in instances if a != b and chance.random() < density]
    return problem(instances, {pair: chance.randint(1, 1000) for pair in pairs}, where)


def small(chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Problems of at most 10 instances, on three machines, full and nearly full."""
    machines = [machine(HOPS, [3, 3, 2, 2]), machine(PAIRS, [3, 3, 2, 2]), machine(UNEVEN, [4, 3, 3])]
    made = []
    for number in range(count):
        where = machines[number % 3]
        many = sum(where["cores"]) - chance.choice([0, 0, 1, 2])
        made.append((of_queries if number % 2 else tangled)(chance, many, where))
    return made
