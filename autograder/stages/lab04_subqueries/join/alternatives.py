"""Another correct solution of `Join`, which must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab04_subqueries.engine import Operator


# Two lists of all rows, filtered at each step.
@alternative("filtered_lists")
class Join(Operator):
    stateful, inputs = True, 2

    def __init__(self, left_ms, right_ms, emit, on=(), group_by=(), predicate=None):
        super().__init__()
        self.lengths, self.emit, self.predicate = [left_ms, right_ms], emit, predicate
        self.names = [*on, *((field, field) for field in group_by)]
        self.state = {0: [], 1: []}

    def keys(self, port):
        return tuple(pair[port] for pair in self.names) if self.names else None

    def on_row(self, row, port=0):
        self.state[port].append(row)
        lefts, rights = ([row], self.state[1]) if port == 0 else (self.state[0], [row])
        pairs = [(a, b) for a in lefts for b in rights if all(a[one] == b[other] for one, other in self.names)]
        fitting = [(a, b) for a, b in pairs if self.predicate is None or self.predicate(a, b)]
        return [{**self.emit(a, b), "t": row["t"]} for a, b in fitting]

    def on_time(self, now_ms):
        for port, length in enumerate(self.lengths):
            self.state[port] = [row for row in self.state[port] if now_ms - row["t"] < length]
        return []
