"""Gives partitions in the order in which they came to their owner."""

KILLED_BY = ["each_partition_has_exactly_one_owner"]


assign_all = assign


def assign(partitions, members, previous):
    return {name: own[::-1] for name, own in assign_all(partitions, members, previous).items()}
