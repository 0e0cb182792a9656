# %% [markdown]
# First-Fit with a list that is scanned.


# %% task="FirstFit"
class FirstFit:
    def __init__(self, capacity=1000):
        self.capacity, self.workers, self.where = capacity, [], {}

    def place(self, engine, size):
        worker = next((w for w, free in enumerate(self.workers) if size <= free), len(self.workers))
        if worker == len(self.workers):
            self.workers.append(self.capacity)
        self.workers[worker] -= size
        self.where[engine] = worker, size
        return worker

    def remove(self, engine):
        worker, size = self.where.pop(engine)
        self.workers[worker] += size
        while self.workers and self.workers[-1] == self.capacity:
            self.workers.pop()
        return worker
