# wrong: the deque is shared by all windows (class attribute); breaks "Keep the values in a window", each window is its own
# caught by: float_sums_stay_within_the_rounding_error, result_is_the_sum_of_the_window, an_empty_window_has_sum_zero_and_rejects_expire
class SlidingSum:
    _values = deque()
    def __init__(self) -> None:
        self._sum = 0
    def add(self, value):
        self._sum = self._sum + value
        self._values.append(value)
    def expire(self):
        if not self._values:
            raise ValueError("the window is empty")
        self._sum = self._sum - self._values.popleft()
    def result(self):
        return self._sum
