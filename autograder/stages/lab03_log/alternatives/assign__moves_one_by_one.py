"""Begins with what everybody had, gives away what nobody has, then moves one partition at a time from most to least."""

from itertools import pairwise


def assign(partitions, members, previous):
    names = sorted(members)
    if partitions < 0:
        raise ValueError(f"expected 0 partitions or more, got {partitions}")
    if any(one == other for one, other in pairwise(names)):
        raise ValueError(f"a member is named twice in {names}")
    if not names:
        return {}
    owner = {}
    for name in reversed(names):
        owner.update(dict.fromkeys(previous.get(name, ()), name))
    owned = {name: {at for at in range(partitions) if owner.get(at) == name} for name in names}

    def least():
        return min(names, key=lambda name: (len(owned[name]), name))

    def most():
        return max(names, key=lambda name: (len(owned[name]), name))

    for partition in range(partitions):
        if owner.get(partition) not in owned:
            owned[least()].add(partition)
    while len(owned[most()]) > len(owned[least()]) + 1:
        richest = most()
        moves = max(owned[richest])
        owned[richest].remove(moves)
        owned[least()].add(moves)
    return {name: sorted(own) for name, own in owned.items()}
