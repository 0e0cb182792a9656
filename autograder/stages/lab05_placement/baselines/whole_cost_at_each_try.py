# %% [markdown]
# The same search on a full machine, but it computes the whole cost of every placement that it tries.

# %% role="given"
from collections import Counter
from itertools import combinations

from streamlab.lab05_placement.numa import Links


# %% task="place"
def place(instances, traffic, topology, starts=1):
    if len(instances) != sum(map(len, topology.cores.values())):
        raise NotImplementedError("this search has no moves to free cores")
    placement = greedy(instances, Links(traffic), topology)
    now, settled = cost(placement, traffic, topology), False
    least = 1e-6 * sum(traffic.values())
    while not settled:
        settled = True
        for step in swaps(placement):
            before = {each: placement[each] for each in step}
            placement.update(step)
            after = cost(placement, traffic, topology)
            if after < now - least:
                now, settled = after, False
            else:
                placement.update(before)
    return placement


def cost(placement, traffic, topology):
    return sum(x * topology.distance[placement[b]][placement[a]] for (a, b), x in traffic.items())


def swaps(placement):
    for a, b in combinations(placement, 2):
        if placement[a] != placement[b]:
            yield {a: placement[b], b: placement[a]}


def greedy(instances, links, topology):
    free = {node: len(cores) for node, cores in topology.cores.items()}
    left, pull, placement = list(instances), Counter(), {}
    while left:
        chosen = max(left, key=lambda each: pull[each])
        left.remove(chosen)
        costs = {node: cost_at(chosen, node, placement, links, topology) for node in free if free[node]}
        placement[chosen] = min(costs, key=lambda node: (costs[node], -free[node]))
        free[placement[chosen]] -= 1
        pull.update({other: sum(flow) for other, flow in links.of(chosen).items()})
    return placement


def cost_at(instance, node, placement, links, topology):
    far, total = topology.distance, 0
    for other, flow in links.of(instance).items():
        if other in placement:
            total += flow.sent * far[placement[other]][node] + flow.received * far[node][placement[other]]
    return total
