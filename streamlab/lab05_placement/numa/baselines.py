"""Placements that ignore traffic, as an operating system or a simple scheduler would choose them."""

from collections.abc import Sequence

from streamlab.lab05_placement.numa.topology import Topology


def round_robin(instances: Sequence[str], topology: Topology) -> dict[str, int]:
    """Place one instance on each node in turn, and skip full nodes.

    Raises ValueError if there are more instances than cores.
    """
    rounds = max(map(len, topology.cores.values()))
    turns = [node for turn in range(rounds) for node, cores in topology.cores.items() if turn < len(cores)]
    return _on(instances, turns)


def least_loaded(instances: Sequence[str], topology: Topology) -> dict[str, int]:
    """Place each instance on the node with the smallest share of busy cores; ties go to the lowest node number.

    Raises ValueError if there are more instances than cores.
    """
    slots = [(turn / len(cores), node) for node, cores in topology.cores.items() for turn in range(len(cores))]
    return _on(instances, [node for _, node in sorted(slots)])


def _on(instances: Sequence[str], nodes: Sequence[int]) -> dict[str, int]:
    if len(instances) > len(nodes):
        raise ValueError(f"{len(instances)} instances need a core each, and there are {len(nodes)} cores")
    return dict(zip(instances, nodes, strict=False))
