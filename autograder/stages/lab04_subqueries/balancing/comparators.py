"""Compute from owners the load of each instance, and the single moves that would help."""

from collections.abc import Sequence


def totals(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[int]:
    """Return the load of each instance."""
    return [
        sum(load for load, owner in zip(loads, owners, strict=True) if owner == instance)
        for instance in range(instances)
    ]


def helpful_moves(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[tuple[int, int]]:
    """Return the moves (bucket, instance) off a fullest instance that leave the other below the largest load."""
    total = totals(loads, owners, instances)
    return [
        (bucket, to)
        for bucket, (load, owner) in enumerate(zip(loads, owners, strict=True))
        for to in range(instances)
        if load > 0 and to != owner and total[int(owner)] == max(total) and total[to] + load < max(total)
    ]
