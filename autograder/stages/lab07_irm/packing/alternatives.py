"""Other right solutions of the packers; each must get full marks."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

from autograder.checks.mutant_markers import alternative


# The tree is made of lists [most, left, right], and a search is a recursion.
@alternative("recursive")
class FirstFit:
    def __init__(self, capacity=1000):
        self.capacity, self.height, self.root = capacity, 0, [capacity]
        self.where, self.count = {}, []

    def place(self, engine, size):
        if engine in self.where:
            raise ValueError(f"{engine} (size {size}, capacity {self.capacity}) is on {self.where[engine][0]}")
        if size <= 0 or self.capacity < size:
            raise ValueError(f"no place for {engine}: {size} of {self.capacity}")
        if self.root[0] < size:
            self.root = [self.capacity, self.root, None]
            self.height += 1
        worker = self.take(self.root, self.height, size)
        self.where[engine] = (worker, size)
        if worker == len(self.count):
            self.count.append(0)
        self.count[worker] += 1
        return worker

    def children(self, node):
        node[2] = node[2] or [self.capacity, None, None]
        node[1] = node[1] or [self.capacity, None, None]
        return node[1], node[2]

    def take(self, node, height, size):
        if height == 0:
            node[0] = node[0] - size
            return 0
        left, right = self.children(node)
        goes_right = left[0] < size
        worker = self.take(right if goes_right else left, height - 1, size) + goes_right * 2 ** (height - 1)
        node[0] = max(left[0], right[0])
        return worker

    def add(self, node, height, worker, space):
        if height == 0:
            node[0] = node[0] + space
            return
        left, right = self.children(node)
        half = 2 ** (height - 1)
        self.add(right if worker >= half else left, height - 1, worker % half, space)
        node[0] = max(left[0], right[0])

    def remove(self, engine):
        worker, size = self.where.pop(engine)
        self.add(self.root, self.height, worker, size)
        self.count[worker] -= 1
        while self.count and self.count[-1] == 0:
            self.count.pop()
        return worker

    def resize(self, engine, size):
        worker, before = self.where[engine]
        if size <= 0:
            raise ValueError("a size is positive")
        self.where[engine] = (worker, size)
        self.add(self.root, self.height, worker, before - size)

    @property
    def used(self):
        return len(self.count)

    def free(self):
        found = {worker: self.capacity for worker in range(self.used)}
        for worker, size in self.where.values():
            found[worker] = found[worker] - size
        return list(found.values())


# The sizes are sorted once, and sums of them are differences of prefix sums.
@alternative("prefix_sums")
def least_workers(sizes, capacity=1000):
    ordered = sorted(sizes)
    if ordered and not (ordered[0] > 0 and ordered[-1] <= capacity):
        raise ValueError("no worker has room for such a size")
    sums = [0, *accumulate(ordered)]
    half, every = bisect_right(ordered, capacity / 2), len(ordered)
    best = 0
    for split in {0, *ordered[:half]}:
        end = bisect_right(ordered, capacity - split)
        room = (end - half) * capacity - (sums[end] - sums[half])
        more = sums[half] - sums[bisect_left(ordered, split)] - room
        best = max(best, every - half + max(0, (more + capacity - 1) // capacity))
    return best


# Keeps the used amount on each worker, resource by resource.
@alternative("by_loads")
def first_fit_vector(demands, capacity):
    loads, chosen = [], []
    for position, demand in enumerate(demands):
        for at in range(len(capacity)):
            if demand[at] < 0 or demand[at] > capacity[at]:
                raise ValueError(f"resource {at} of demand {position}")
        worker = 0
        while worker < len(loads) and any(x + y > z for x, y, z in zip(loads[worker], demand, capacity, strict=True)):
            worker += 1
        if worker == len(loads):
            loads.append([0] * len(capacity))
        for at, need in enumerate(demand):
            loads[worker][at] += need
        chosen.append(worker)
    return chosen
