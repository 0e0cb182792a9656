"""An expire of an empty window does nothing and says nothing."""

from collections import deque

KILLED_BY = ["an_empty_window_sums_to_zero_and_has_nothing_to_expire"]


class SlidingSum:
    def __init__(self):
        self.values, self.total = deque(), 0

    def add(self, value):
        self.values.append(value)
        self.total = self.total + value

    def expire(self):
        if self.values:
            self.total = self.total - self.values.popleft()

    def result(self):
        return self.total
