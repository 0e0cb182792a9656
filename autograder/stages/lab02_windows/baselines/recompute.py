# %% [markdown]
# The sum of a window: every slide adds up the whole window.

# %% role="given"
from collections import deque


# %% task="SlidingSum"
class SlidingSum:
    def __init__(self) -> None:
        self._values: deque[int] = deque()

    def add(self, value: int) -> None:
        self._values.append(value)

    def expire(self) -> None:
        self._values.popleft()

    def result(self) -> int:
        return sum(self._values)
