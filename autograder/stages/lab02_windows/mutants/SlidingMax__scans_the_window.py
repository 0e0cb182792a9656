"""Looks through the whole window for every result."""

from collections import deque

KILLED_BY = ["three_comparisons_a_value_are_enough"]


class SlidingMax:
    def __init__(self):
        self.values = deque()

    def add(self, value):
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.values.popleft()

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return max(self.values)
