# wrong: of two claims the last name wins; breaks "the one that comes first alphabetically owned it"
# caught by: a_rebalance_moves_as_few_partitions_as_possible
def assign(partitions: int, members: Sequence[str], previous: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError("invalid group")
    if not members:
        return {}
    owner = {}
    for name in sorted(members):
        owner.update((p, name) for p in previous.get(name, ()) if 0 <= p < partitions)
    owned = {name: sorted(p for p in owner if owner[p] == name) for name in sorted(members)}
    low, extra = divmod(partitions, len(members))
    by_load = sorted(owned, key=lambda name: (len(owned[name]), name), reverse=True)
    quota = {name: low + (at < extra) for at, name in enumerate(by_load)}
    result = {name: owned[name][: quota[name]] for name in owned}
    free = sorted(set(range(partitions)) - {p for kept in result.values() for p in kept})
    for name in result:
        while len(result[name]) < quota[name]:
            result[name].append(free.pop())
        result[name].sort()
    return result
