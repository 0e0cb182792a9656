# wrong: rounds the result to ten digits; breaks "Sums are not rounded"
# caught by: float_sums_stay_within_the_rounding_error
class SlidingSum:
    def __init__(self) -> None:
        self._values, self._sum = deque(), 0
    def add(self, value):
        self._sum = self._sum + value
        self._values.append(value)
    def expire(self):
        if not self._values:
            raise ValueError("the window is empty")
        self._sum = self._sum - self._values.popleft()
    def result(self):
        return round(self._sum, 10) if isinstance(self._sum, float) else self._sum
