"""Adds the window up anew when a value leaves: the inverse is not used."""

from collections import deque

KILLED_BY = ["a_step_costs_at_most_one_operation", "sliding_is_faster_than_recomputing_each_window"]


class SlidingSum:
    def __init__(self):
        self.values, self.total = deque(), 0

    def add(self, value):
        self.values.append(value)
        self.total = self.total + value

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.values.popleft()
        self.total = sum(self.values)

    def result(self):
        return self.total
