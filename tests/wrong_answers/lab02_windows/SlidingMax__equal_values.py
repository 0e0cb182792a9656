# wrong: the monotone deque keeps values only and expires by value, dropping equal ones; breaks "one expire removes one of them"
# caught by: equal_values_expire_one_at_a_time
class SlidingMax:
    def __init__(self) -> None:
        self._best, self._values = deque(), deque()
    def add(self, value):
        while self._best and self._best[-1] <= value:
            self._best.pop()
        self._best.append(value)
        self._values.append(value)
    def expire(self):
        if not self._values:
            raise ValueError("empty")
        if self._values.popleft() == self._best[0]:
            self._best.popleft()
    def result(self):
        if not self._values:
            raise ValueError("empty")
        return self._best[0]
