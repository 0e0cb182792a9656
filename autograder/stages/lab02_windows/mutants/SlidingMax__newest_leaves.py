"""Lets the newest value leave, as a stack does."""

KILLED_BY = [
    "the_maximum_is_that_of_the_values_in_the_window",
    "equal_maxima_leave_one_by_one",
    "three_comparisons_a_value_are_enough",
]


class SlidingMax:
    def __init__(self):
        self.stack = []

    def add(self, value):
        self.stack.append((value, max(value, self.stack[-1][1]) if self.stack else value))

    def expire(self):
        if not self.stack:
            raise ValueError("expected a value to expire, and the window is empty")
        self.stack.pop()

    def result(self):
        if not self.stack:
            raise ValueError("expected a value in the window, and it is empty")
        return self.stack[-1][1]
