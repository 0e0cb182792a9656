"""Values that count their additions and comparisons."""

import operator
from collections.abc import Callable
from typing import Any


class Work:
    """The number of operations on all values of a case."""

    operations = 0


class Counted:
    """A number that can be added and compared; both are counted."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, work: Work) -> None:
        self._value, self._work = value, work

    def _compared(self, other: Any, compare: Callable[[Any, Any], bool]) -> bool:
        self._work.operations += 1
        return compare(self._value, plain_value(other))

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, operator.ge)

    def __add__(self, other: Any) -> "Counted":
        self._work.operations += 1
        return Counted(self._value + plain_value(other), self._work)

    def __radd__(self, other: Any) -> "Counted":
        return self + other


def plain_value(value: Any) -> Any:
    """Return the plain number of a counting value; anything else unchanged."""
    return value._value if isinstance(value, Counted) else value
