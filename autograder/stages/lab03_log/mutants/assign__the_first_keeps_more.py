"""Lets the smallest names have the one more, whoever had it."""

KILLED_BY = ["no_more_partitions_move_than_must"]


def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")

    free, assigned, names = set(range(partitions)), {}, sorted(members)
    loads = {name: partitions // len(names) + (at < partitions % len(names)) for at, name in enumerate(names)}
    for name in names:
        assigned[name] = sorted(free.intersection(previous.get(name, ())))[: loads[name]]
        free.difference_update(assigned[name])
    given = iter(sorted(free))
    return {name: sorted([*own, *islice(given, loads[name] - len(own))]) for name, own in assigned.items()}
