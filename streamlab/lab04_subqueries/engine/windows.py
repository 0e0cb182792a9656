"""The two kinds of windows, and the three steps of an aggregate function."""

from collections.abc import Callable
from typing import Any, NamedTuple


class TimeWindow(NamedTuple):
    """Windows of `size` ms that start every `advance` ms: [k * advance, k * advance + size) for every whole k.

    Example: TimeWindow(size=10, advance=4) has the windows … [-4, 6), [0, 10), [4, 14) …
    """

    size: int
    advance: int


class SizeWindow(NamedTuple):
    """Windows of `size` rows of one group: rows k * advance to k * advance + size - 1 for k = 0, 1, 2, …

    Example: SizeWindow(size=3, advance=2) has the windows of rows 0 to 2, rows 2 to 4, rows 4 to 6 …
    """

    size: int
    advance: int


class AggregateFunction(NamedTuple):
    """An aggregate function in three steps, so that windows can share partial results.

    lift(value): the partial result of one value. combine(earlier, later): the partial result of the values of both, in
    this order. lower(partial): the result of all values.
    """

    lift: Callable[[Any], Any]
    combine: Callable[[Any, Any], Any]
    lower: Callable[[Any], Any]
