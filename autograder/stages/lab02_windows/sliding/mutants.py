"""Wrong versions of `SlidingSum` and `SlidingMax`, each with the checks that must catch it."""

from collections import deque

from autograder.checks.mutant_markers import mutant, right

SUM = "result_is_the_sum_of_the_window"
EMPTY_SUM = "an_empty_window_has_sum_zero_and_rejects_expire"
COST = "a_step_costs_at_most_one_operation"
FLOATS = "float_sums_stay_within_the_rounding_error"
FASTER = "sliding_is_faster_than_recomputing_each_window"
MAX = "result_is_the_maximum_of_the_window"
EQUAL = "equal_values_expire_one_at_a_time"
EMPTY_MAX = "an_empty_window_rejects_result_and_expire"
COMPARISONS = "three_comparisons_per_value_are_enough"

# SlidingSum


@right
class SlidingSum:
    def __init__(self):
        self.values, self.total = deque(), 0

    def add(self, value):
        self.values.append(value)
        self.total = self.total + value

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.total = self.total - self.values.popleft()
        if not self.values:
            self.total = 0

    def result(self):
        return self.total


# The inverse is not used.
mutant(
    "recomputes_on_expire",
    [COST, FASTER],
    ("self.total = self.total - self.values.popleft()", "self.values.popleft()\n        self.total = sum(self.values)"),
)
# Behaves like a stack.
mutant("newest_leaves", [SUM, COST, FLOATS, FASTER], ("popleft", "pop"))
mutant("rounding_error_of_nothing", EMPTY_SUM, ("        if not self.values:\n            self.total = 0\n", ""))
mutant("begins_with_a_float", SUM, ("self.values, self.total = deque(), 0", "self.values, self.total = deque(), 0.0"))
mutant(
    "zero_does_not_enter",
    SUM,
    (
        "        self.values.append(value)",
        "        if not value:\n            return\n        self.values.append(value)",
    ),
)
# Raises the error that an empty deque raises.
mutant("index_error", EMPTY_SUM, ("raise ValueError", "raise IndexError"))

# SlidingMax


@right
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
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.candidates[0]


mutant(
    "maximum_of_nothing",
    EMPTY_MAX,
    ('raise ValueError("expected a value in the window, and it is empty")', "return None"),
)
mutant("no_maximum_of_zero", MAX, ("return self.candidates[0]", "return self.candidates[0] or self.values[-1]"))
# Correct, but takes more than three comparisons per value.
mutant(
    "five_comparisons",
    COMPARISONS,
    ("< value", "< value and not self.candidates[-1] >= value"),
    ("return self.candidates[0]", "return max(self.candidates[0], self.values[-1])"),
)


# Subtracts as if a maximum had an inverse: when the largest leaves, the newest becomes the maximum.
@mutant("maximum_with_an_inverse", [MAX, EQUAL, COMPARISONS])
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


# Cheap until values fall: then every value that leaves is the largest.
@mutant("scans_when_the_largest_leaves", COMPARISONS)
class SlidingMax:
    def __init__(self):
        self.values, self.largest = deque(), None

    def add(self, value):
        self.largest = max(self.largest, value) if self.values else value
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        if self.values.popleft() == self.largest:
            self.largest = max(self.values) if self.values else None

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.largest
