"""Rows, the streams on which they arrive, and the one order in which every run processes them."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

Row = dict[str, Any]  # "t" is its event time, a whole number of ms; the other fields depend on the query

END_MS = 1 << 62  # the promise that no more rows arrive
START_MS = -END_MS  # no promise yet


class Arrival(NamedTuple):
    """A row and the name of the stream on which it arrives."""

    stream: str
    row: Row


def order_of(arrival: Arrival) -> tuple[int, str, str]:
    """Return the sort key of an arrival: its time, then its content, then its stream.

    The key depends on nothing else, so two runs that get the same rows by different routes process them in the same
    order.
    Example: order_of(Arrival("visits", {"t": 5, "ip": "a"})) -> (5, '{"ip": "a", "t": 5}', 'visits')
    """
    return arrival.row["t"], json.dumps(arrival.row, sort_keys=True), arrival.stream


def in_order(stream: str, rows: Iterable[Row]) -> list[Row]:
    """Return the rows of one stream sorted by `order_of`, so that two runs can be compared."""
    return sorted(rows, key=lambda row: order_of(Arrival(stream, row)))
