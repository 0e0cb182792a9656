"""Other right solutions of `place`; each must get full marks."""

import random

from autograder.checks.mutant_markers import alternative
from streamlab.lab05_placement.numa import Links


# A table holds the cost of each instance at each node; every step updates it.
@alternative("by_a_table")
def place(instances, traffic, topology, starts=8):
    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(instances) > len(slots):
        raise ValueError("too few cores")
    if roomy := [node for node, cores in topology.cores.items() if len(cores) >= len(instances)]:
        return {each: roomy[-1] for each in instances}
    rng, best = random.Random("table"), None
    for start in range(max(starts, 1)):
        order = greedy_slots(instances, traffic, topology) if start == 0 else rng.sample(slots, len(instances))
        found = Table(dict(zip(instances, order, strict=True)), traffic, topology)
        found.settle()
        if best is None or found.cost() < best.cost():
            best = found
    return best.at


class Table:
    def __init__(self, at, traffic, topology):
        self.at, self.traffic, self.far = at, traffic, topology.distance
        self.nodes = [node for node, cores in topology.cores.items() if cores]
        self.room = {node: len(topology.cores[node]) for node in self.nodes}
        for node in at.values():
            self.room[node] -= 1
        self.flows = {each: {} for each in at}
        for (a, b), x in traffic.items():
            sent, received = self.flows[a].get(b, (0, 0))
            self.flows[a][b] = (sent + x, received)
            sent, received = self.flows[b].get(a, (0, 0))
            self.flows[b][a] = (sent, received + x)
        self.table = {each: {node: self.price(each, node) for node in self.nodes} for each in at}
        self.least = 1e-6 * sum(traffic.values())

    def price(self, each, node):
        flows = self.flows[each].items()
        return sum(s * self.far[self.at[p]][node] + r * self.far[node][self.at[p]] for p, (s, r) in flows)

    def cost(self):
        return sum(x * self.far[self.at[b]][self.at[a]] for (a, b), x in self.traffic.items())

    def put(self, each, node):
        old, self.at[each] = self.at[each], node
        for peer, (sent, received) in self.flows[each].items():
            row = self.table[peer]
            for to in self.nodes:
                row[to] += received * (self.far[node][to] - self.far[old][to])
                row[to] += sent * (self.far[to][node] - self.far[to][old])

    def settle(self):
        names, changed = list(self.at), True
        while changed:
            changed = False
            for number, a in enumerate(names):
                for node in self.nodes:
                    if self.room[node] > 0 and self.table[a][self.at[a]] - self.table[a][node] > self.least:
                        self.room[self.at[a]] += 1
                        self.room[node] -= 1
                        self.put(a, node)
                        changed = True
                for b in names[number + 1 :]:
                    changed = self.swap(a, b) or changed

    def swap(self, a, b):
        p, q = self.at[a], self.at[b]
        if p == q:
            return False
        gain = self.table[a][p] - self.table[a][q] + self.table[b][q] - self.table[b][p]
        if b in self.flows[a]:
            sent, received = self.flows[a][b]
            far = self.far
            alone = sent * (far[q][p] - far[q][q]) + received * (far[p][q] - far[q][q])
            other = received * (far[p][q] - far[p][p]) + sent * (far[q][p] - far[p][p])
            both = sent * (far[q][p] - far[p][q]) + received * (far[p][q] - far[q][p])
            gain += both - alone - other
        if gain <= self.least:
            return False
        self.put(a, q)
        self.put(b, p)
        return True


def greedy_slots(instances, traffic, topology):
    free = {node: len(cores) for node, cores in topology.cores.items()}
    links, at, left = Links(traffic), {}, list(instances)
    while left:
        each = max(left, key=lambda one: sum(sum(flow) for peer, flow in links.of(one).items() if peer in at))
        left.remove(each)
        flows = [(at[peer], flow) for peer, flow in links.of(each).items() if peer in at]
        far = topology.distance
        price = {
            node: sum(flow.sent * far[there][node] + flow.received * far[node][there] for there, flow in flows)
            for node in free
            if free[node]
        }
        at[each] = min(price, key=lambda node: (price[node], -free[node]))
        free[at[each]] -= 1
    return [at[each] for each in instances]


# METIS gives the first start.
@alternative("metis_first")
def place(instances, traffic, topology, starts=8):
    from streamlab.lab05_placement.numa.metis import metis

    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(slots) < len(instances):
        raise ValueError(f"{len(slots)} cores for {len(instances)} instances")
    biggest = max(topology.cores, key=lambda node: len(topology.cores[node]))
    if len(topology.cores[biggest]) >= len(instances):
        return dict.fromkeys(instances, biggest)
    rng, found = random.Random(7), []
    for start in range(starts):
        first = start == 0 and len(instances) > 1 and traffic
        drawn = dict(zip(instances, rng.sample(slots, len(instances)), strict=True))
        found.append(steepest(metis(instances, traffic, topology) if first else drawn, traffic, topology))
    return min(found, key=lambda at: cost(at, traffic, topology))


def steepest(at, traffic, topology):
    links, far = Links(traffic), topology.distance
    least, settled = 1e-6 * sum(traffic.values()), False
    while not settled:
        settled = True
        for a in at:
            for b in at:
                if at[a] != at[b] and swap_gain(a, b, at, links, topology) > least:
                    at[a], at[b], settled = at[b], at[a], False
            used = list(at.values())
            for node, cores in topology.cores.items():
                if used.count(node) < len(cores):
                    flows = links.of(a).items()
                    here = sum(f.sent * far[at[p]][at[a]] + f.received * far[at[a]][at[p]] for p, f in flows)
                    there = sum(f.sent * far[at[p]][node] + f.received * far[node][at[p]] for p, f in flows)
                    if here - there > least:
                        at[a], settled = node, False
                        break
    return at
