"""A deque of the values that can still become the maximum, with the number of each."""

from collections import deque


class SlidingMax:
    def __init__(self):
        self.candidates, self.entered, self.left = deque(), 0, 0

    def add(self, value):
        while self.candidates and self.candidates[-1][1] < value:
            self.candidates.pop()
        self.candidates.append((self.entered, value))
        self.entered += 1

    def expire(self):
        if self.left == self.entered:
            raise ValueError("nothing to expire")
        if self.candidates[0][0] == self.left:
            self.candidates.popleft()
        self.left += 1

    def result(self):
        if not self.candidates:
            raise ValueError("an empty window has no maximum")
        return self.candidates[0][1]
