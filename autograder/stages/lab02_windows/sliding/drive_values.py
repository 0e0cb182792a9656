"""Values that count the operations on them, for windows in plain Python."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Work:
    """The operations on all values of one case."""

    adds: int = 0
    subtractions: int = 0
    comparisons: int = 0

    @property
    def operations(self) -> int:
        """The number of all operations."""
        return self.adds + self.subtractions + self.comparisons


class Ordered:
    """A value that can only be compared, and counts each comparison."""

    def __init__(self, value: Any, work: Work) -> None:
        self._value, self._work = value, work

    def __repr__(self) -> str:
        return f"<a {type(self).__name__} that counts>"  # a readable number could be used without being counted

    def __bool__(self) -> bool:
        return bool(self._value)  # so 0 is false, as a plain number is

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        if not isinstance(other, Ordered):
            return NotImplemented
        self._work.comparisons += 1
        return compare(self._value, other._value)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, operator.ne)


class Number(Ordered):
    """A value that can also be added and subtracted; an operation with a plain 0 counts, too."""

    def __round__(self, digits: int | None = None) -> "Number":
        return Number(round(self._value, digits), self._work)

    def __add__(self, other: Any) -> Any:
        self._work.adds += 1
        return Number(self._value + plain_value(other), self._work)

    def __radd__(self, other: Any) -> Any:
        self._work.adds += 1
        return Number(plain_value(other) + self._value, self._work)

    def __sub__(self, other: Any) -> Any:
        self._work.subtractions += 1
        return Number(self._value - plain_value(other), self._work)

    def __rsub__(self, other: Any) -> Any:
        self._work.subtractions += 1
        return Number(plain_value(other) - self._value, self._work)


def plain_value(value: Any) -> Any:
    """Return the plain number of a counting value; anything else unchanged."""
    return value._value if isinstance(value, Ordered) else value
