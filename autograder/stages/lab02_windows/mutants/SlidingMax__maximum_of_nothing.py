"""An empty window has the maximum None."""

from collections import deque

KILLED_BY = ["an_empty_window_has_no_maximum_and_nothing_to_expire"]


class SlidingMax:
    def __init__(self):
        self.values, self.candidates = deque(), deque()

    def add(self, value):
        while self.candidates and self.candidates[-1] < value:
            self.candidates.pop()
        self.candidates.append(value)
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        if self.candidates[0] == self.values.popleft():
            self.candidates.popleft()

    def result(self):
        return self.candidates[0] if self.candidates else None
