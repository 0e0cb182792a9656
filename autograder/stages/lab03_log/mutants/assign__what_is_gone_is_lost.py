"""Gives out only what members had."""

KILLED_BY = ["each_partition_has_exactly_one_owner", "loads_differ_by_at_most_one", "no_more_partitions_move_than_must"]


assign_all = assign


def assign(partitions, members, previous):
    gone = {each for name, owned in previous.items() if name not in members for each in owned}
    return {
        name: [each for each in own if each not in gone]
        for name, own in assign_all(partitions, members, previous).items()
    }
