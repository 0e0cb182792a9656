"""Takes nothing from anyone, so that who comes gets nothing."""

KILLED_BY = ["loads_differ_by_at_most_one"]


def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")

    free, kept = set(range(partitions)), {name: [] for name in sorted(members)}
    for name in kept:
        kept[name] = sorted(free.intersection(previous.get(name, ())))
        free -= set(kept[name])
    for partition in sorted(free) if kept else []:
        min(kept.values(), key=len).append(partition)
    return {name: sorted(each) for name, each in kept.items()}
