"""Adds the whole window up for every result."""

from collections import deque

KILLED_BY = ["a_step_costs_at_most_one_operation", "sliding_is_faster_than_recomputing_each_window"]


class SlidingSum:
    def __init__(self):
        self.values = deque()

    def add(self, value):
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.values.popleft()

    def result(self):
        return sum(self.values)
