# %% [markdown]
# The sum of a window, added up anew at each slide.

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
