"""The first value of an empty window is its total, and the last one to leave takes no subtraction."""

from collections import deque


class SlidingSum:
    def __init__(self):
        self._window = deque()
        self._total = 0

    def add(self, value):
        self._total = self._total + value if self._window else value
        self._window.append(value)

    def expire(self):
        try:
            oldest = self._window.popleft()
        except IndexError:
            raise ValueError("nothing to expire: the window is empty") from None
        self._total = self._total - oldest if self._window else 0

    def result(self):
        return self._total
