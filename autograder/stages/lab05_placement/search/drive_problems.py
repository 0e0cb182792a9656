"""Converts machines and traffic of cases to the types of streamlab.lab05_placement.numa."""

from typing import Any

from streamlab.lab05_placement.numa.topology import Topology, machine


def topology_of(where: Any) -> Topology:
    """Return the machine of a case, with consecutive cores."""
    return machine(where["rows"], where["cores"], where["nodes"])


def traffic_of(case: Any) -> dict[tuple[str, str], Any]:
    """Return the traffic or the rates of a case."""
    return {(sender, receiver): amount for sender, receiver, amount in case["traffic"]}
