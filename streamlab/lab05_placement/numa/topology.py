"""A machine as NUMA nodes: the cores of each node, and the distances between nodes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Traffic = Mapping[tuple[str, str], float]  # (sender, receiver) -> bytes/s
Placement = Mapping[str, int]  # instance -> node


class Topology(NamedTuple):
    """The cores of each node, and its distances.

    cores: node -> core numbers, ascending; a node may have none. distance: node -> node -> distance, where a core of
    the first node reads memory of the second one; 10 is local.
    Example: Topology({0: [0, 1], 1: [2, 3]}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}}).distance[0][1] -> 21
    """

    cores: dict[int, list[int]]
    distance: dict[int, dict[int, int]]


def machine(rows: Sequence[Sequence[int]], cores_each: Iterable[int], nodes: Sequence[int] = ()) -> Topology:
    """Return a machine with consecutive cores; `rows` are the distances of each node. By default, nodes are 0, 1, …

    Example: machine([[10, 21], [21, 10]], [2, 1]).cores -> {0: [0, 1], 1: [2]}
    """
    names, cores, first = nodes or range(len(rows)), dict[int, list[int]](), 0
    for node, count in zip(names, cores_each, strict=True):
        cores[node] = list(range(first, first + count))
        first += count
    return Topology(cores, {node: dict(zip(names, row, strict=True)) for node, row in zip(names, rows, strict=True)})


def bullion(nodes: int = 16, cores_each: int = 18) -> Topology:
    """Return a machine like the Bullion S16 in the UPM-CEP paper: distance 10 local, 15 within a pair, 40 otherwise."""
    return machine(bullion_rows(nodes), [cores_each] * nodes)


def bullion_rows(nodes: int) -> list[list[int]]:
    """Return the distances of such a machine, one row per node."""
    return [[10 if a == b else 15 if a // 2 == b // 2 else 40 for b in range(nodes)] for a in range(nodes)]
