"""Takes the leaving value off as if a maximum had an inverse: when the largest leaves, the newest takes its place."""

from collections import deque

KILLED_BY = [
    "the_maximum_is_that_of_the_values_in_the_window",
    "equal_maxima_leave_one_by_one",
    "three_comparisons_a_value_are_enough",
]


class SlidingMax:
    def __init__(self):
        self.values, self.largest = deque(), None

    def add(self, value):
        self.largest = max(self.largest, value) if self.values else value
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        oldest = self.values.popleft()
        if self.values and not oldest < self.largest:
            self.largest = self.values[-1]

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.largest
