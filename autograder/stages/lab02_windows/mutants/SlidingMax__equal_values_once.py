"""Keeps one of two equal values as a candidate, and loses it when the first of the two leaves."""

from collections import deque

KILLED_BY = ["equal_maxima_leave_one_by_one"]


class SlidingMax:
    def __init__(self):
        self.values, self.candidates = deque(), deque()

    def add(self, value):
        while self.candidates and self.candidates[-1] <= value:
            self.candidates.pop()
        self.candidates.append(value)
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        if self.candidates and self.candidates[0] == self.values.popleft():
            self.candidates.popleft()

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.candidates[0] if self.candidates else None
