"""What is counted in owners: the load of each instance, and single moves that would help."""

from collections.abc import Sequence


def totals(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[int]:
    """The load of each instance."""
    return [
        sum(load for load, owner in zip(loads, owners, strict=True) if owner == instance)
        for instance in range(instances)
    ]


def helpful_moves(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[tuple[int, int]]:
    """Buckets of a fullest instance, with the instances that could take them and stay below the largest load."""
    total = totals(loads, owners, instances)
    return [
        (bucket, to)
        for bucket, (load, owner) in enumerate(zip(loads, owners, strict=True))
        for to in range(instances)
        if load > 0 and to != owner and total[owner] == max(total) and total[to] + load < max(total)
    ]
