"""Rejects to say the sum of an empty window, as if it were a maximum."""

from collections import deque

KILLED_BY = ["an_empty_window_sums_to_zero_and_has_nothing_to_expire"]


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
        if not self.values:
            raise ValueError("the window is empty")
        return self.total
