"""A size that counts how often sizes are compared. It adds and subtracts, but it is no int and cannot become one."""

from typing import Any


def _value(other: Any) -> Any:
    return other._value if isinstance(other, Size) else other


class Size:
    """A size; `Size.compared` counts comparisons of all sizes, with each other and with numbers."""

    compared = 0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: int) -> None:
        self._value = value

    def __add__(self, other: Any) -> "Size":
        return Size(self._value + _value(other))

    def __sub__(self, other: Any) -> "Size":
        return Size(self._value - _value(other))

    def __rsub__(self, other: Any) -> "Size":
        return Size(_value(other) - self._value)

    def __neg__(self) -> "Size":
        return Size(-self._value)

    __radd__ = __add__

    def __lt__(self, other: Any) -> bool:
        Size.compared += 1
        return bool(self._value < _value(other))

    def __le__(self, other: Any) -> bool:
        Size.compared += 1
        return bool(self._value <= _value(other))

    def __gt__(self, other: Any) -> bool:
        Size.compared += 1
        return bool(self._value > _value(other))

    def __ge__(self, other: Any) -> bool:
        Size.compared += 1
        return bool(self._value >= _value(other))

    def __eq__(self, other: object) -> bool:
        Size.compared += 1
        return bool(self._value == _value(other))

    def __repr__(self) -> str:
        return "<a size that counts>"  # a readable number could be compared without being counted
