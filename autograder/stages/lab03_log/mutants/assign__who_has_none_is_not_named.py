"""Leaves members without a partition out."""

KILLED_BY = ["each_partition_has_exactly_one_owner"]


assign_all = assign


def assign(partitions, members, previous):
    return {name: own for name, own in assign_all(partitions, members, previous).items() if own}
