"""Other right solutions of `first_placement` and `best_move`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Sorts what is left again and again, and counts from the placement.
@alternative("by_sorting")
def first_placement(instances, links, topology):
    placement, left = {}, list(instances)
    while left:
        left.sort(key=instances.index)
        left.sort(key=lambda each: sum(sum(f) for o, f in links.of(each).items() if o in placement), reverse=True)
        chosen, used = left.pop(0), list(placement.values())
        free = [node for node, cores in topology.cores.items() if used.count(node) < len(cores)]
        prices = [cost_at(chosen, node, placement, links, topology) for node in free]
        placement[chosen] = free[prices.index(min(prices))]
    return placement


# Knows only `cost_at`: the cost of the links of those that move, before and after.
@alternative("without_gains")
def best_move(instance, placement, links, topology):
    best, least = {}, 0
    used = list(placement.values())
    tries = [{instance: node} for node in topology.cores if used.count(node) < len(topology.cores[node])]
    tries += [{instance: node, other: placement[instance]} for other, node in placement.items() if other != instance]
    for change in tries:
        after = {**placement, **change}
        saved = paid(change, placement, links, topology) - paid(change, after, links, topology)
        if saved > least:
            best, least = change, saved
    return best


def paid(movers, placement, links, topology):
    first, *others = movers
    total = cost_at(first, placement[first], placement, links, topology)
    for other in others:
        without = {name: node for name, node in placement.items() if name != first}
        total += cost_at(other, placement[other], without, links, topology)
    return total
