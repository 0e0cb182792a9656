"""Wrong versions of `SlidingSum`, `SlidingMax`, each with the checks that must catch it."""

from collections import deque

from autograder.verify.marks import mutant, right

STEP_COSTS = "a_step_costs_at_most_one_operation"
EMPTY_WINDOW = "an_empty_window_has_no_maximum_and_nothing_to_expire"
EMPTY_WINDOW_SUMS = "an_empty_window_sums_to_zero_and_has_nothing_to_expire"
EQUAL_MAXIMA = "equal_maxima_leave_one_by_one"
SLIDING_FASTER = "sliding_is_faster_than_recomputing_each_window"
SUMS_FLOATS = "sums_of_floats_are_as_exact_as_rounding_allows"
MAXIMUM_VALUES = "the_maximum_is_that_of_the_values_in_the_window"
SUM_VALUES = "the_sum_is_that_of_the_values_in_the_window"
THREE_COMPARISONS = "three_comparisons_a_value_are_enough"

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

    def result(self):
        return self.total


mutant(
    "adds_what_leaves", [SUM_VALUES, EMPTY_WINDOW_SUMS, STEP_COSTS, SUMS_FLOATS, SLIDING_FASTER], ("-", "+")
)  # Adds the value that leaves once more.
mutant(
    "empty_is_none", EMPTY_WINDOW_SUMS, ("return self.total", "return self.total if self.values else None")
)  # An empty window has no sum, rather than 0.
mutant(
    "expires_nothing_silently",
    EMPTY_WINDOW_SUMS,
    (
        """        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.total = self.total - self.values.popleft()""",
        """        if self.values:
            self.total = self.total - self.values.popleft()""",
    ),
)  # An expire of an empty window does nothing and says nothing.
mutant(
    "index_error",
    EMPTY_WINDOW_SUMS,
    (
        """        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
""",
        "",
    ),
)  # An expire of an empty window raises IndexError, as the deque does.
mutant(
    "newest_leaves", [SUM_VALUES, STEP_COSTS, SUMS_FLOATS, SLIDING_FASTER], ("popleft", "pop")
)  # Lets the newest value leave, as a stack does.
mutant(
    "nothing_leaves",
    [SUM_VALUES, EMPTY_WINDOW_SUMS, STEP_COSTS, SUMS_FLOATS, SLIDING_FASTER],
    ("total = self.total - self.values", "values"),
)  # Takes a value out of the window, and forgets to take it off the sum.


# Adds the whole window up for every result.
@mutant("recomputes", [STEP_COSTS, SLIDING_FASTER])
class SlidingSum:
    def __init__(self):
        self.values = deque()

    def add(self, value):
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.values.popleft()

    def result(self):
        return sum(self.values)


mutant(
    "recomputes_on_expire",
    [STEP_COSTS, SLIDING_FASTER],
    (
        "        self.total = self.total - self.values.popleft()",
        """        self.values.popleft()
        self.total = sum(self.values)""",
    ),
)  # Adds the window up anew when a value leaves: the inverse is not used.
mutant(
    "refuses_the_result_of_nothing",
    EMPTY_WINDOW_SUMS,
    (
        "    def result(self):",
        """    def result(self):
        if not self.values:
            raise ValueError("the window is empty")""",
    ),
)  # Rejects to say the sum of an empty window, as if it were a maximum.
mutant("rounds", SUMS_FLOATS, ("return self.total", "return round(self.total, 2)"))  # Rounds every sum to two decimals.
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


# Takes the leaving value off as if a maximum had an inverse: when the largest leaves, the newest takes its place.
@mutant("an_inverse_that_is_none", [MAXIMUM_VALUES, EQUAL_MAXIMA, THREE_COMPARISONS])
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


mutant(
    "equal_values_once",
    EQUAL_MAXIMA,
    ("<", "<="),
    ("if self.candidates", "if self.candidates and self.candidates"),
    ("return self.candidates[0]", "return self.candidates[0] if self.candidates else None"),
)  # Keeps one of two equal values as a candidate, and loses it when the first of the two leaves.
mutant(
    "expires_nothing_silently",
    EMPTY_WINDOW,
    ('raise ValueError("expected a value to expire, and the window is empty")', "return"),
)  # An expire of an empty window does nothing and says nothing.
mutant(
    "five_comparisons",
    THREE_COMPARISONS,
    ("< value", "< value and not self.candidates[-1] >= value"),
    ("return self.candidates[0]", "return max(self.candidates[0], self.values[-1])"),
)  # Compares everything twice over, to be sure: right, and above three comparisons a value.
mutant(
    "maximum_of_nothing",
    EMPTY_WINDOW,
    (
        """        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return self.candidates[0]""",
        "        return self.candidates[0] if self.candidates else None",
    ),
)  # An empty window has the maximum None.


# The largest value ever: what left is remembered for good.
@mutant("never_falls", [MAXIMUM_VALUES, EQUAL_MAXIMA, EMPTY_WINDOW, THREE_COMPARISONS])
class SlidingMax:
    def __init__(self):
        self.inside, self.largest = 0, None

    def add(self, value):
        self.largest = value if self.largest is None else max(self.largest, value)
        self.inside += 1

    def expire(self):
        if not self.inside:
            raise ValueError("expected a value to expire, and the window is empty")
        self.inside -= 1

    def result(self):
        if not self.inside:
            raise ValueError("expected a value in the window, and it is empty")
        return self.largest


# Lets the newest value leave, as a stack does.
@mutant("newest_leaves", [MAXIMUM_VALUES, EQUAL_MAXIMA, THREE_COMPARISONS])
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


# Looks through the whole window for every result.
@mutant("scans_the_window", THREE_COMPARISONS)
class SlidingMax:
    def __init__(self):
        self.values = deque()

    def add(self, value):
        self.values.append(value)

    def expire(self):
        if not self.values:
            raise ValueError("expected a value to expire, and the window is empty")
        self.values.popleft()

    def result(self):
        if not self.values:
            raise ValueError("expected a value in the window, and it is empty")
        return max(self.values)


# Keeps the maximum, and looks through the window when it leaves: cheap until values fall.
@mutant("scans_when_the_largest_leaves", THREE_COMPARISONS)
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


mutant(
    "smallest", [MAXIMUM_VALUES, EQUAL_MAXIMA, THREE_COMPARISONS], ("<", ">")
)  # Keeps the smallest value: all comparisons the wrong way round.
