"""Other right solutions of `size` and `admit`; each must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab09_system import CannotScale


# Divides whole numbers, rounded up, and returns a plain tuple.
@alternative("in_whole_numbers")
def size(stages, peak_per_s, busy_percent, outage_s, drain_s):
    if not (stages and peak_per_s >= 1 and 100 >= busy_percent >= 1 and outage_s >= 0 and drain_s >= 1):
        raise ValueError("no")

    def up(work, percent):
        return max(-(-work // (percent * 10**6)), -(-work * (drain_s + outage_s) // (drain_s * 10**8)))

    found, slowest_ms, partitions = {}, 0, 2
    for name, cost_us, hottest in stages:
        work = peak_per_s * cost_us
        if up(work * hottest, busy_percent) > 1:
            raise CannotScale(name)
        found[name] = up(100 * work, busy_percent) or 1
        if hottest > 0:
            partitions = max(partitions, 2 * found[name])
        slowest_ms = max(slowest_ms, -(-1000 * work * outage_s // (found[name] * 10**6 - work)) if outage_s else 0)
    return found, partitions, slowest_ms


@alternative("record_by_record")
def admit(waiting, ranks, room, least):
    if min(room, least) < 0:
        raise ValueError("no")
    queues = {name: [0, count] for name, count in waiting.items()}

    def give(rank, most):
        nonlocal room
        while room and most > 0:
            open_ = [(got, name) for name, (got, count) in queues.items() if got < count and ranks[name] == rank]
            if not open_:
                return
            queues[min(open_)[1]][0] += 1
            room, most = room - 1, most - 1

    for rank in sorted(set(ranks.values())):
        give(rank, least)
    for rank in sorted(set(ranks.values())):
        give(rank, room)
    return {name: got for name, (got, _) in queues.items()}


# Raises the level of a rank until its total is reached; the rest goes to the first by name.
@alternative("by_levels")
def admit(waiting, ranks, room, least):
    if room < 0 or least < 0:
        raise ValueError("no")
    order, total = sorted(set(ranks.values())), {}
    waits = {rank: sum(count for name, count in waiting.items() if ranks[name] == rank) for rank in order}
    for rank in order:
        total[rank] = min(least, waits[rank], room - sum(total.values()))
    for rank in order:
        total[rank] += min(waits[rank] - total[rank], room - sum(total.values()))
    granted = {}
    for rank in order:
        mine = {name: count for name, count in waiting.items() if ranks[name] == rank}
        level = 0
        while sum(min(level + 1, count) for count in mine.values()) <= total[rank] and level < max(mine.values()):
            level += 1
        granted.update({name: min(level, count) for name, count in mine.items()})
        rest = total[rank] - sum(granted[name] for name in mine)
        for name in sorted(name for name in mine if mine[name] > level)[:rest]:
            granted[name] += 1
    return granted
