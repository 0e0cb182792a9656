"""Leaves a partition with both who claim it."""

KILLED_BY = ["each_partition_has_exactly_one_owner"]


assign_all = assign


def assign(partitions, members, previous):
    assigned = assign_all(partitions, members, previous)
    for name, own in assigned.items():
        claimed = (each for each in previous.get(name, ()) if each < partitions and each not in own)
        twice = [each for each in claimed if sum(each in previous.get(other, ()) for other in members) > 1]
        assigned[name] = sorted([*own, *twice])
    return assigned
