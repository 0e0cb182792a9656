"""Keeps the maximum, and looks through the window when it leaves: cheap until values fall."""

from collections import deque

KILLED_BY = ["three_comparisons_a_value_are_enough"]


class SlidingMax:
    def __init__(self):
        self.values, self.largest = deque(), None

    def add(self, value):
        self.largest = max(self.largest, value) if self.values else value
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        if self.values.popleft() == self.largest:
            self.largest = max(self.values) if self.values else None

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.largest
