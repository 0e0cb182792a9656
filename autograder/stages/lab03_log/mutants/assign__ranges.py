"""Gives everyone a range, as Kafka's range assignor does."""

KILLED_BY = ["no_more_partitions_move_than_must"]


def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")

    names, given = sorted(members), iter(range(partitions))
    return {
        name: list(islice(given, partitions // len(names) + (at < partitions % len(names))))
        for at, name in enumerate(names)
    }
