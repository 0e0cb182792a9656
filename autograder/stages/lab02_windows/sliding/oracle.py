"""The right answers of sliding windows in plain Python: each step looks at the whole window."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

Step = Sequence[Any]  # ["add", value], ["expire"] or ["result"]
Values = list[Any]

REJECTED = "ValueError"


def windows(steps: Iterable[Step]) -> Iterator[tuple[str, Values]]:
    """Yield each step's name and the window before it, oldest first; an expire of nothing changes nothing.

    Example: list(windows([["add", 5], ["expire"], ["result"]])) -> [("add", []), ("expire", [5]), ("result", [])]
    """
    window: Values = []
    for name, *value in steps:
        yield name, window
        window = [*window, *value] if name == "add" else window[1:] if name == "expire" else window


def answers(steps: Iterable[Step], result: Callable[[Values], Any]) -> list[Any]:
    """Return the answer to each step: `result` of the window, REJECTED for an expire of nothing, otherwise None.

    Example: answers([["expire"], ["add", 5], ["result"]], sum) -> ["ValueError", None, 5]
    """
    return [
        result(window) if name == "result" else REJECTED if name == "expire" and not window else None
        for name, window in windows(steps)
    ]


def sums(steps: Iterable[Step]) -> list[Any]:
    """Return the answer of a SlidingSum to each step."""
    return answers(steps, exact_sum)


def maxima(steps: Iterable[Step]) -> list[Any]:
    """Return the answer of a SlidingMax to each step."""
    return answers(steps, maximum)


def exact_sum(window: Values) -> Any:
    """Return the sum, computed in exact arithmetic."""
    return sum(window) if all(isinstance(value, int) for value in window) else float(sum(map(Fraction, window)))


def maximum(window: Values) -> Any:
    """Return the largest value, or REJECTED if the window is empty."""
    return max(window) if window else REJECTED


def rounding_allowed(steps: Iterable[Step]) -> float:
    """Return how far a float sum kept by adding and subtracting may be from the exact one.

    Each operation rounds by at most half an ulp of its result (IEEE 754), and no partial sum is larger than the sum of
    all magnitudes that were ever in one window. The bound is doubled, since its own terms are rounded, too.
    """
    steps = list(steps)
    largest = max((sum(map(abs, window)) for _, window in windows([*steps, ["result"]])), default=0.0)
    return 2.0 * len(steps) * 2.0**-53 * largest
