# wrong: after the older stack is empty, the newer maximum is kept although the values have moved; breaks "the newer one has one maximum" (of its own values)
# caught by: three_comparisons_per_value_are_enough, result_is_the_maximum_of_the_window, equal_values_expire_one_at_a_time, an_empty_window_rejects_result_and_expire
class SlidingMax:
    def __init__(self) -> None:
        self._older, self._newer, self._top = [], [], None
    def add(self, value):
        self._top = value if self._top is None or self._top < value else self._top
        self._newer.append(value)
    def expire(self):
        if not self._older:
            if not self._newer:
                raise ValueError("empty")
            while self._newer:
                value = self._newer.pop()
                self._older.append(value if not self._older or self._older[-1] < value else self._older[-1])
        self._older.pop()
    def result(self):
        if not self._older and not self._newer:
            raise ValueError("empty")
        if not self._older:
            return self._top
        if not self._newer:
            return self._older[-1]
        return self._top if self._older[-1] < self._top else self._older[-1]
