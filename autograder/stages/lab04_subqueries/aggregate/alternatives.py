"""Other correct solutions of `window_starts`, `aggregate_function` and `Aggregate`; each must get full marks."""

import math
from collections import deque

from autograder.checks.mutant_markers import alternative
from streamlab.lab04_subqueries.engine import AggregateFunction, Operator, TimeWindow


# Walks back from the newest window.
@alternative("backwards")
def window_starts(window, at):
    starts, start = [], at - at % window.advance
    while start > at - window.size and (start >= 0 or isinstance(window, TimeWindow)):
        starts.append(start)
        start -= window.advance
    return starts[::-1]


# A class whose methods are the three functions; a partial result is a dict.
@alternative("methods_of_a_class")
def aggregate_function(name):
    return AggregateFunction(*Summary(name).steps())


class Summary:
    def __init__(self, name):
        parts = {"COUNT": ["n"], "SUM": ["sum"], "MIN": ["min"], "MAX": ["max"], "AVG": ["sum", "n"]}
        parts |= {"FIRST_VAL": ["first"], "LAST_VAL": ["last"]}
        self.parts = parts[name]

    def steps(self):
        return self.lift, self.combine, self.lower

    def lift(self, value):
        return {part: 1 if part == "n" else value for part in self.parts}

    def combine(self, a, b):
        return {part: STEPS[part](a[part], b[part]) for part in self.parts}

    def lower(self, summary):
        return summary["sum"] / summary["n"] if len(summary) == 2 else summary[self.parts[0]]


STEPS = {
    "n": lambda a, b: a + b,
    "sum": lambda a, b: a + b,
    "min": lambda a, b: b if b < a else a,
    "max": lambda a, b: b if b > a else a,
    "first": lambda a, b: a,
    "last": lambda a, b: b,
}


# Written without `Panes` and `add_row`: searches all groups for closed windows at each step.
@alternative("ends_sorted_at_each_step")
class Aggregate(Operator):
    stateful = True

    def __init__(self, group_by, window, functions):
        super().__init__()
        self.size, self.advance = window
        self.names, self.fields = list(functions), [field for _, field in functions.values()]
        self.parts = [aggregate_function(name) for name, _ in functions.values()]
        self.group_by, self.timed = list(group_by), isinstance(window, TimeWindow)
        self.step = math.gcd(self.size, self.advance)
        self.state["groups"] = {}  # group -> [rows, next open start, panes (number, partials)]

    def keys(self, port):
        return tuple(self.group_by)

    def on_row(self, row, port=0):
        group = tuple(row[field] for field in self.group_by)
        known = self.state["groups"].get(group)
        if known is None:
            first = (row["t"] - self.size) // self.advance * self.advance + self.advance if self.timed else 0
            known = self.state["groups"][group] = [0, first, deque()]
        at, panes = row["t"] if self.timed else known[0], known[2]
        known[0] += 1
        new = [part.lift(row[field]) for part, field in zip(self.parts, self.fields, strict=True)]
        if panes and panes[-1][0] == at // self.step:
            new = [part.combine(old, one) for part, old, one in zip(self.parts, panes.pop()[1], new, strict=True)]
        panes.append((at // self.step, new))
        if not self.timed and known[0] == known[1] + self.size:
            closed = self._close(group, known, row["t"])
            if not known[2]:
                del self.state["groups"][group]
            return closed
        return []

    def on_time(self, now_ms):
        if not self.timed:
            return []
        closed = []
        for group, known in list(self.state["groups"].items()):
            while known[2] and known[1] + self.size <= now_ms:
                closed += self._close(group, known, known[1] + self.size - 1)
            if not known[2]:
                del self.state["groups"][group]
        return closed

    def _close(self, group, known, time_ms):
        start, panes = known[1], known[2]
        held = [parts for number, parts in panes if start <= number * self.step < start + self.size]
        known[1] += self.advance
        while panes and panes[0][0] * self.step < known[1]:
            panes.popleft()
        if not held:
            return []
        merged = held[0]
        for parts in held[1:]:
            merged = [part.combine(a, b) for part, a, b in zip(self.parts, merged, parts, strict=True)]
        row = dict(zip(self.group_by, group, strict=True))
        row.update({name: part.lower(one) for name, part, one in zip(self.names, self.parts, merged, strict=True)})
        return [{**row, "t": time_ms}]
