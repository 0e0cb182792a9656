"""Wrong versions of the packers, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, right, survivor

FIRST = "the_first_worker_with_room_is_taken"
EXACT = "an_exact_fit_counts"
SPACE = "free_space_is_capacity_minus_the_sizes"
NUMBERS = "numbers_stay_and_only_trailing_empty_workers_disappear"
REASON = "a_size_that_fits_no_worker_raises_value_error_with_the_reason"
FEW = "a_place_is_found_with_few_comparisons"
FASTER = "a_tree_is_faster_than_a_scan"
SPLITS = "the_bound_is_the_maximum_over_all_splits"
NO_WORKER = "sizes_that_fit_no_worker_raise_value_error"
EVERY = "every_resource_must_fit"
NAMES = "the_error_names_demand_and_resource"

reference("FirstFit")

# As in the original.
mutant(
    "less_than",
    [EXACT, FEW],
    ("if size > self._max_free[1]:", "if size >= self._max_free[1]:"),
    ("if size <= self._max_free[2 * node] else", "if size < self._max_free[2 * node] else"),
)
# As in the original: free space lies between 0 and the capacity.
mutant(
    "clamped",
    SPACE,
    (
        "        self._max_free[node] += space\n",
        "        self._max_free[node] = max(0, min(self._capacity, self._max_free[node] + space))\n",
    ),
)
# As in the original: a size that fits no worker opens its own worker.
mutant("too_large_opens_a_worker", REASON, (" or size > self._capacity:", ":"))


@right
class FirstFit:
    def __init__(self, capacity=1000):
        self.capacity, self.most, self.leaves, self.where, self.count = capacity, [capacity, capacity], 1, {}, []

    def place(self, engine, size):
        if engine in self.where or size <= 0 or size > self.capacity:
            raise ValueError(f"{engine} of size {size} has a place, or no place of {self.capacity}")
        if size > self.most[1]:
            self.most = [self.capacity] * 2 * self.leaves + self.most[self.leaves :] + [self.capacity] * self.leaves
            self.leaves *= 2
            for node in range(self.leaves - 1, 1, -1):
                self.most[node] = max(self.most[2 * node], self.most[2 * node + 1])
        node = 1
        while node < self.leaves:
            node = 2 * node + (self.most[2 * node] < size)
        worker = node - self.leaves
        self.where[engine] = [worker, size]
        self.count += [0] * (worker + 1 - len(self.count))
        self.count[worker] += 1
        self.change(worker, -size)
        return worker

    def change(self, worker, space):
        node = self.leaves + worker
        self.most[node] = self.most[node] + space
        while node > 1:
            node //= 2
            self.most[node] = max(self.most[2 * node], self.most[2 * node + 1])

    def remove(self, engine):
        worker, size = self.where.pop(engine)
        self.count[worker] -= 1
        self.change(worker, size)
        while self.count and self.count[-1] == 0:
            self.count.pop()
        return worker

    def resize(self, engine, size):
        worker, before = self.where[engine]
        if size <= 0:
            raise ValueError(f"{engine} of size {size}")
        self.where[engine][1] = size
        self.change(worker, before - size)

    @property
    def used(self):
        return len(self.count)

    def free(self):
        return self.most[self.leaves : self.leaves + len(self.count)]


mutant(
    "all_empty_workers_disappear",
    [NUMBERS, SPACE],
    ("return len(self.count)\n", "return sum(each > 0 for each in self.count)\n"),
    (
        "return self.most[self.leaves : self.leaves + len(self.count)]",
        "return [f for f, n in zip(self.most[self.leaves :], self.count) if n]",
    ),
)


# Tries only the worker of the last engine, and then takes a new one.
@mutant("next_fit", [FIRST, EXACT, SPACE, NUMBERS, FEW])
class FirstFit:
    def __init__(self, capacity=1000):
        self.capacity, self.workers, self.where, self.last = capacity, [], {}, 0

    def place(self, engine, size):
        if engine in self.where or size <= 0 or size > self.capacity:
            raise ValueError(f"{engine} of size {size} has a place, or no place of {self.capacity}")
        if self.last >= len(self.workers) or self.room(self.last) < size:
            self.last = len(self.workers)
            self.workers.append(set())
        self.workers[self.last].add(engine)
        self.where[engine] = [self.last, size]
        return self.last

    def room(self, worker):
        return self.capacity - sum(self.where[engine][1] for engine in self.workers[worker])

    def remove(self, engine):
        worker = self.where[engine][0]
        self.workers[worker].remove(engine)
        del self.where[engine]
        while self.workers and not self.workers[-1]:
            self.workers.pop()
        return worker

    def resize(self, engine, size):
        place = self.where[engine]
        if size <= 0:
            raise ValueError(f"{engine} of size {size}")
        place[1] = size

    @property
    def used(self):
        return len(self.workers)

    def free(self):
        return [self.room(worker) for worker in range(len(self.workers))]


@mutant("scan", [FEW, FASTER])
class FirstFit:
    def __init__(self, capacity=1000):
        self.capacity, self.workers, self.count, self.where = capacity, [], [], {}

    def place(self, engine, size):
        if engine in self.where or size <= 0 or size > self.capacity:
            raise ValueError(f"{engine} of size {size} has a place, or no place of {self.capacity}")
        worker = next((w for w, free in enumerate(self.workers) if size <= free), len(self.workers))
        if worker == len(self.workers):
            self.workers.append(self.capacity)
            self.count.append(0)
        self.workers[worker] -= size
        self.count[worker] += 1
        self.where[engine] = [worker, size]
        return worker

    def remove(self, engine):
        worker, size = self.where.pop(engine)
        self.workers[worker] += size
        self.count[worker] -= 1
        while self.count and not self.count[-1]:
            self.count.pop()
            self.workers.pop()
        return worker

    def resize(self, engine, size):
        place = self.where[engine]
        if size <= 0:
            raise ValueError(f"{engine} of size {size}")
        self.workers[place[0]] += place[1] - size
        place[1] = size

    @property
    def used(self):
        return len(self.workers)

    def free(self):
        return list(self.workers)


reference("least_workers")

mutant(
    "the_sum_alone",
    SPLITS,
    ("for split in {0, *small}:", "for split in {0}:"),
    ("least = max(least, len(large) + max(0, -(-rest // capacity)))", "least = -(-sum(sizes) // capacity)"),
)
mutant("half_is_left_out", SPLITS, ("if 2 * size <= capacity]", "if 2 * size < capacity]"))
mutant("room_of_1000", SPLITS, ("sum(capacity - size for size in large", "sum(1000 - size for size in large"))
mutant("any_size", NO_WORKER, ("not 0 < size <= capacity", "size is None"))

reference("first_fit_vector")

mutant(
    "first_resource_alone", EVERY, ("all(n <= f for n, f in zip(demand, free, strict=True))", "demand[0] <= free[0]")
)
mutant("the_largest_capacity_counts", NAMES, ("if not 0 <= need <= most:", "if not 0 <= need <= max(capacity):"))
mutant(
    "workers_share_the_capacity",
    [EVERY, NAMES],
    ("workers.append(list(capacity))", "workers.append(capacity)"),
    ("workers[worker] = [", "workers[worker][:] = ["),
)
survivor("least_workers", "least = 0", "least = -1", reason="equivalent: split 0 gives 0 or more")
survivor(
    "least_workers",
    "for split in {0, *small}:",
    "for split in { 1, *small}:",
    reason="equivalent: no size lies between, and of a whole worker nothing is left",
)
survivor(
    "least_workers",
    "for split in {0, *small}:",
    "for split in { -1, *small}:",
    reason="equivalent: no size is below 0 or above the capacity",
)
survivor(
    "least_workers",
    "room = sum(capacity - size for size in large if size <= capacity - split)",
    "room = sum(capacity % size for size in large if size <= capacity - split)",
    reason="equivalent: a size above half of the capacity fits once",
)
survivor(
    "first_fit_vector",
    "if worker == len(workers):",
    "if worker >= len(workers):",
    reason="equivalent: the number is at most the length, and an unused worker at the end is like a new one",
)
survivor(
    "first_fit_vector",
    "if worker == len(workers):",
    "if worker <= len(workers):",
    reason="equivalent: the number is at most the length, and an unused worker at the end is like a new one",
)
survivor(
    "first_fit_vector",
    "for resource, (need, most) in enumerate(zip(demand, capacity, strict=True)):",
    "for resource, (need, most) in enumerate(zip(demand, capacity, strict=False)):",
    reason="equivalent: all demands have as many numbers as the capacity",
)
survivor(
    "first_fit_vector",
    "if all(n <= f for n, f in zip(demand, free, strict=True))",
    "if all(n <= f for n, f in zip(demand, free, strict=False))",
    reason="equivalent: all demands have as many numbers as the capacity",
)
survivor(
    "first_fit_vector",
    "free - need for need, free in zip(demand, workers[worker], strict=True)",
    "free - need for need, free in zip(demand, workers[worker], strict=False)",
    reason="equivalent: all demands have as many numbers as the capacity",
)
survivor(
    "FirstFit",
    "if size > self._max_free[1]:",
    "if size >= self._max_free[1]:",
    reason="equivalent: a tree that grows before it has to gives the same workers",
)
survivor(
    "FirstFit",
    "left, right = self._max_free[2 * node], self._max_free[2 * node + 1]",
    "left, right = self._max_free[2 * node], self._max_free[2 * node ^ 1]",
    reason="equivalent: twice a number is even",
)
survivor(
    "FirstFit",
    "left, right = self._max_free[2 * node], self._max_free[2 * node + 1]",
    "left, right = self._max_free[2 * node], self._max_free[2 * node | 1]",
    reason="equivalent: twice a number is even",
)
survivor(
    "FirstFit",
    "node = 2 * node if size <= self._max_free[2 * node] else 2 * node + 1",
    "node = 2 * node if size <= self._max_free[2 * node] else 2 * node ^ 1",
    reason="equivalent: twice a number is even",
)
survivor(
    "FirstFit",
    "node = 2 * node if size <= self._max_free[2 * node] else 2 * node + 1",
    "node = 2 * node if size <= self._max_free[2 * node] else 2 * node | 1",
    reason="equivalent: twice a number is even",
)
survivor(
    "FirstFit",
    "node = self._leaves + worker",
    "node = self._leaves ^ worker",
    reason="equivalent: the number of leaves is a power of two, and above the worker",
)
survivor(
    "FirstFit",
    "node = self._leaves + worker",
    "node = self._leaves | worker",
    reason="equivalent: the number of leaves is a power of two, and above the worker",
)
survivor(
    "FirstFit",
    'at = f", place {self._where[engine][0]}" if engine in self._where else ""',
    'at = f", place {self._where[engine][ -1]}" if engine in self._where else ""',
    reason="equivalent: the text names engine, size and capacity, as it has to",
)
survivor(
    "FirstFit",
    'at = f", place {self._where[engine][0]}" if engine in self._where else ""',
    'at = f", place {self._where[engine][ 1]}" if engine in self._where else ""',
    reason="equivalent: the text names engine, size and capacity, as it has to",
)
survivor(
    "FirstFit",
    "self._max_free[node] = left if right <= left else right",
    "self._max_free[node] = left if right < left else right",
    reason="equivalent: where they are equal, either is the larger one",
)
survivor("FirstFit", "while node > 1:", "while node != 1:", reason="equivalent: a node is 1 or more")
survivor("FirstFit", "while node > 1:", "while node > 0:", reason="equivalent: node 0 is used by nobody")
survivor("FirstFit", "while node > 1:", "while node >= 1:", reason="equivalent: node 0 is used by nobody")
survivor(
    "FirstFit",
    "while width < self._leaves:",
    "while width != self._leaves:",
    reason="equivalent: both are powers of two",
)
survivor(
    "FirstFit",
    "while width < self._leaves:",
    "while width <= self._leaves:",
    reason="equivalent: nodes after the last leaf are used by nobody",
)
survivor(
    "FirstFit",
    "worker = node - self._leaves",
    "worker = node % self._leaves",
    reason="equivalent: a leaf is below twice the number of leaves",
)
survivor(
    "FirstFit",
    "worker = node - self._leaves",
    "worker = node ^ self._leaves",
    reason="equivalent: the number of leaves is a power of two, and a leaf is below twice of it",
)
