"""Compares everything twice over, to be sure: right, and above three comparisons a value."""

from collections import deque

KILLED_BY = ["three_comparisons_a_value_are_enough"]


class SlidingMax:
    def __init__(self):
        self.values, self.candidates = deque(), deque()

    def add(self, value):
        while self.candidates and self.candidates[-1] < value and not self.candidates[-1] >= value:
            self.candidates.pop()
        self.candidates.append(value)
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        if self.candidates[0] == self.values.popleft():
            self.candidates.popleft()

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return max(self.candidates[0], self.values[-1])
