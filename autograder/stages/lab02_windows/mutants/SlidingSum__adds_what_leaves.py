"""Adds the value that leaves once more."""

from collections import deque

KILLED_BY = [
    "the_sum_is_that_of_the_values_in_the_window",
    "an_empty_window_sums_to_zero_and_has_nothing_to_expire",
    "a_step_costs_at_most_one_operation",
    "sums_of_floats_are_as_exact_as_rounding_allows",
    "sliding_is_faster_than_recomputing_each_window",
]


class SlidingSum:
    def __init__(self):
        self.values, self.total = deque(), 0

    def add(self, value):
        self.values.append(value)
        self.total = self.total + value

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.total = self.total + self.values.popleft()

    def result(self):
        return self.total
