"""Drives `Profiler` and `Predictor` with scripts of calls and a test double of Lab 2's sums."""

from collections.abc import Callable
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab07_irm.datatypes import Rules


class ReaddedSum:
    """In place of Lab 2's `SlidingSum`: adds up all values for each result."""

    def __init__(self) -> None:
        self._values: list[int] = []

    def add(self, value: int) -> None:
        """Add a value to the window."""
        self._values.append(value)

    def expire(self) -> None:
        """Remove the oldest value. Raises ValueError if the window is empty."""
        if not self._values:
            raise ValueError("expire() needs a value in the window, and it is empty")
        self._values.pop(0)

    def result(self) -> int:
        """Return the sum."""
        return sum(self._values)


def or_error(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """Return the result of a call as JSON holds it, or "ValueError"."""
    rows = or_rejected(lambda: {"answer": plain(function(*arguments))})
    return rows.get("answer", rows.get("rejected"))


@drive("Profiler")
def profiler(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the sizes requested between observations, or the error of the constructor."""
    sums = earlier("lab02_windows").SlidingSum if case["sums"] == "lab02" else ReaddedSum
    with stage.replaced(SlidingSum=sums):
        return _sizes(stage.Profiler(*case["limits"]), case["script"])


def _sizes(profiler: Any, script: list[Any]) -> Rows:
    sizes = []
    for image, loads in script:
        if loads is not None:
            profiler.observe(image, [(engines, cpu) for engines, cpu in loads])
        sizes.append(plain(profiler.size(image)))
    return {"sizes": sizes}


@drive("Predictor")
def predictor(stage: Any, case: Any) -> Rows:
    """Return the result of each call."""
    learner_predictor = stage.Predictor(Rules(**case["rules"]))
    return {"wanted": [or_error(learner_predictor.wanted, call) for call in case["calls"]]}
