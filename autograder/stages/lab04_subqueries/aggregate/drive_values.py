"""Values that count the + and the comparisons that they take part in."""

import operator
from collections.abc import Callable
from typing import Any


class Work:
    """How many operations there were."""

    operations = 0


class Counted:
    """A number that can be added and compared; both are counted."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, work: Work) -> None:
        self._value, self._work = value, work

    def _compared(self, other: Any, compare: Callable[[Any, Any], bool]) -> bool:
        self._work.operations += 1
        return compare(self._value, worth(other))

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
        return Counted(self._value + worth(other), self._work)

    def __radd__(self, other: Any) -> "Counted":
        return self + other


def worth(value: Any) -> Any:
    """The plain number in a counting value; anything else as it is."""
    return value._value if isinstance(value, Counted) else value
