"""Reads the rows of `push`: events of ordinary movers, events of the two late ones, and rejected records."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

LATE_MOVERS = ("s", "l")
LATE_ENTER = ["IN", "s", "late"]
Row = list[Any]


def rows_of(rows: Rows, name: str = "events") -> list[Any] | Mismatch:
    """Return all rows, or a mismatch if they have the wrong form."""
    if wrong := must_answer("push(records, shards, lateness_s)", "a streaming DataFrame", rows):
        return wrong
    received = rows.get(name)
    if isinstance(received, list):
        return received
    return Mismatch(f"Expected rows (kind, mover, fence, time); yours are {shown(received)}.", None, received)


def is_rejected(row: Any) -> bool:
    """Return whether this row reports an unreadable record."""
    return isinstance(row, list) and row[:1] == ["REFUSED"]


def is_of_late(row: Any) -> bool:
    """Return whether the row is an event of the mover with a late fence, or of the one with a late position."""
    return isinstance(row, list) and len(row) == 4 and row[1] in LATE_MOVERS and not is_rejected(row)


def with_any_time(row: Row, from_ms: int, to_ms: int) -> Row:
    """Return the row; leave out the time of the event that a late fence causes, if it is in this range."""
    is_in_range = isinstance(row[3], int) and from_ms <= row[3] <= to_ms
    return [*row[:3], "at any time"] if row[:3] == LATE_ENTER and is_in_range else row
