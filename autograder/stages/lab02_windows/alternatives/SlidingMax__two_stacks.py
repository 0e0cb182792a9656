"""Two stacks: values enter one with the largest so far; when the other is empty, it takes them all over."""


class SlidingMax:
    def __init__(self):
        self.entering, self.leaving = [], []

    def add(self, value):
        self._push(self.entering, value)

    def expire(self):
        if not self.leaving:
            while self.entering:
                self._push(self.leaving, self.entering.pop()[0])
        if not self.leaving:
            raise ValueError("expected a value to expire, and the window is empty")
        self.leaving.pop()

    def result(self):
        tops = [stack[-1][1] for stack in (self.leaving, self.entering) if stack]
        if not tops:
            raise ValueError("expected a value in the window, and it is empty")
        return max(tops)

    @staticmethod
    def _push(stack, value):
        stack.append((value, max(value, stack[-1][1]) if stack else value))
