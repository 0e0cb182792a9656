"""The stub of `heal` for drives of the orchestrator. Its rule differs from the task's and needs every argument, too."""

from collections.abc import Mapping
from typing import Any

from streamlab.lab05_placement.numa import Topology


def in_threes(
    nodes: Mapping[str, int],
    running: Mapping[str, str],
    managers: Mapping[str, int],
    busy: Mapping[str, int],
    topology: Topology,
) -> dict[str, str]:
    """Keep instances on living managers and place the others, the last name first.

    Managers are filled up to threes, the farthest one first.
    """
    kept = {name: running[name] for name in nodes if running.get(name) in managers}
    for name in sorted(nodes.keys() - kept.keys(), reverse=True) if managers else []:

        def rank(manager: str, name: str = name) -> Any:
            instances = busy.get(manager, 0) + sum(each == manager for each in kept.values())
            return instances % 3, topology.distance[managers[manager]][nodes[name]], manager

        kept[name] = max(managers, key=rank)
    return kept


def four_nodes() -> Topology:
    """Return a machine of four nodes in two pairs."""
    rows = [[10, 15, 40, 40], [15, 10, 40, 40], [40, 40, 10, 15], [40, 40, 15, 10]]
    return Topology({node: [node] for node in range(4)}, {node: dict(enumerate(row)) for node, row in enumerate(rows)})
