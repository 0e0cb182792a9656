# wrong: resize of an unknown engine to 0 raises ValueError; breaks "KeyError as in `remove`, otherwise ValueError"
# caught by: free_space_is_capacity_minus_the_sizes
class FirstFit:
    def __init__(self, capacity: int = 1000) -> None:
        self.capacity, self.leaves, self.tree = capacity, 1, [capacity, capacity]
        self.where, self.counts, self.used = {}, [], 0

    def place(self, engine, size):
        if engine in self.where or size <= 0 or size > self.capacity:
            raise ValueError(f"{engine}: size {size}, capacity {self.capacity}, placed {engine in self.where}")
        if self.tree[1] < size:
            self._double()
        node = 1
        while node < self.leaves:
            node *= 2
            if self.tree[node] < size:
                node += 1
        worker = node - self.leaves
        while worker >= len(self.counts):
            self.counts.append(0)
        self.counts[worker] += 1
        self.used = max(self.used, worker + 1)
        self.where[engine] = worker, size
        self._add(worker, -size)
        return worker

    def remove(self, engine):
        worker, size = self.where.pop(engine)
        self.counts[worker] -= 1
        self._add(worker, size)
        while self.used and not self.counts[self.used - 1]:
            self.used -= 1
        return worker

    def resize(self, engine, size):
        if size <= 0:
            raise ValueError(f"{engine}: size {size}")
        worker, old = self.where[engine]
        self.where[engine] = worker, size
        self._add(worker, old - size)

    def free(self):
        return self.tree[self.leaves : self.leaves + self.used]

    def _add(self, worker, more):
        node = self.leaves + worker
        self.tree[node] += more
        while node > 1:
            node //= 2
            left, right = self.tree[2 * node], self.tree[2 * node + 1]
            self.tree[node] = left if left >= right else right

    def _double(self):
        tree, width, at = [self.capacity] * (4 * self.leaves), 1, 1
        while width <= self.leaves:
            tree[2 * width : 3 * width] = self.tree[width : 2 * width]
            width *= 2
        self.tree, self.leaves = tree, 2 * self.leaves
