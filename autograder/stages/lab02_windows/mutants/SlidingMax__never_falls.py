"""The largest value ever: what left is remembered for good."""

KILLED_BY = [
    "the_maximum_is_that_of_the_values_in_the_window",
    "equal_maxima_leave_one_by_one",
    "an_empty_window_has_no_maximum_and_nothing_to_expire",
    "three_comparisons_a_value_are_enough",
]


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
