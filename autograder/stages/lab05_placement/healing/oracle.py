"""The rule of `heal` as plain loops: nothing is sorted by a key, and nothing is counted in advance."""

from collections.abc import Mapping, Sequence


def healed(
    nodes: Mapping[str, int],
    running: Mapping[str, str],
    managers: Mapping[str, int],
    busy: Mapping[str, int],
    distance: Sequence[Sequence[int]],
) -> dict[str, str]:
    """Return the manager of each instance."""
    kept = {instance: running[instance] for instance in nodes if instance in running and running[instance] in managers}
    if not managers:
        return {}
    for instance in sorted(nodes):
        if instance not in kept:
            kept[instance] = _chosen(nodes[instance], kept, managers, busy, distance)
    return kept


def _chosen(
    node: int,
    kept: Mapping[str, str],
    managers: Mapping[str, int],
    busy: Mapping[str, int],
    distance: Sequence[Sequence[int]],
) -> str:
    """Return the least busy manager; among equals the nearest one, then the first by name."""
    instances = {manager: busy.get(manager, 0) + list(kept.values()).count(manager) for manager in managers}
    least = [manager for manager in managers if instances[manager] == min(instances.values())]
    far = {manager: distance[managers[manager]][node] for manager in least}
    return min(manager for manager in least if far[manager] == min(far.values()))
