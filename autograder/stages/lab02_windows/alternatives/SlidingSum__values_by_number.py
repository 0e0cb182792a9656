"""No deque: a dict from the number of a value to the value."""


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
        self.total = self.total - self.values.pop(self.left)
        self.left += 1

    def result(self):
        return self.total
