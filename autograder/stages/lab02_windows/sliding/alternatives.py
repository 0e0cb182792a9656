"""Other correct solutions of `SlidingSum`, `SlidingMax`; each must get full marks."""

from collections import deque

from autograder.checks.mutant_markers import alternative


# A deque of the values that can still become the maximum, with the number of each.
@alternative("monotonic_deque")
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


# Two stacks: values enter one with the largest so far; when the other is empty, it takes over all of them.
@alternative("two_stacks")
class SlidingMax:
    def __init__(self):
        self.entering, self.leaving = [], []

    def add(self, value):
        self._push(self.entering, value)

    def expire(self):
        if not self.leaving:
            while self.entering:
                self._push(self.leaving, self.entering.pop()[0])
        if not self.leaving:
            raise ValueError("expected a value to expire, and the window is empty")
        self.leaving.pop()

    def result(self):
        tops = [stack[-1][1] for stack in (self.leaving, self.entering) if stack]
        if not tops:
            raise ValueError("expected a value in the window, and it is empty")
        return max(tops)

    @staticmethod
    def _push(stack, value):
        stack.append((value, max(value, stack[-1][1]) if stack else value))


# The first value of an empty window is its total, and the last one to leave takes no subtraction.
@alternative("first_value_is_the_total")
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


# No deque: a dict from the number of a value to the value.
@alternative("values_by_number")
class SlidingSum:
    def __init__(self):
        self.values, self.entered, self.left, self.total = {}, 0, 0, 0

    def add(self, value):
        self.values[self.entered] = value
        self.entered += 1
        self.total = self.total + value

    def expire(self):
        if self.left == self.entered:
            raise ValueError("expected a value to expire, and the window is empty")
        oldest = self.values.pop(self.left)
        self.total = self.total - oldest if self.values else 0
        self.left += 1

    def result(self):
        return self.total
