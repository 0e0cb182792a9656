"""Rounds every sum to two decimals."""

from collections import deque

KILLED_BY = ["sums_of_floats_are_as_exact_as_rounding_allows"]


class SlidingSum:
    def __init__(self):
        self.values, self.total = deque(), 0

    def add(self, value):
        self.values.append(value)
        self.total = self.total + value

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.total = self.total - self.values.popleft()

    def result(self):
        return round(self.total, 2)
