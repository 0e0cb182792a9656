"""Machines and traffic of cases as the types of streamlab.numa."""

from typing import Any

from streamlab.numa import Topology


def topology_of(machine: Any) -> Topology:
    """The machine of a case, with consecutive cores."""
    nodes, first, cores = machine["nodes"], 0, dict[int, list[int]]()
    for node, count in zip(nodes, machine["cores"], strict=True):
        cores[node] = list(range(first, first + count))
        first += count
    rows = zip(nodes, machine["rows"], strict=True)
    return Topology(cores, {node: dict(zip(nodes, row, strict=True)) for node, row in rows})


def traffic_of(case: Any) -> dict[tuple[str, str], Any]:
    """The traffic or the rates of a case."""
    return {(sender, receiver): amount for sender, receiver, amount in case["traffic"]}
