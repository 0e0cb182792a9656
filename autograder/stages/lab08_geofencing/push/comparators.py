"""Reads the rows of `push`: events of ordinary movers, events of the two late ones, and rejected records.

A message lists the few records of the case that a wrong event depends on, since a case has a hundred.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_items
from autograder.checks.compare import key_of, shown
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


def same_events(expected: list[Row], got: list[Any], case: Case, *, what: str) -> Mismatch | None:
    """Compare multisets of events, and add how many are missing, and the records of the first wrong event."""
    wrong = same_items(expected, got, what=what)
    if wrong is None:
        return None
    missing, extra = _lacking(expected, got), _lacking(got, expected)
    count = f" In all, {len(missing)} of {len(expected)} are missing." if len(missing) > 1 else ""
    return replace(wrong, sentence=wrong.sentence + count + _records_of((missing or extra)[0], case))


def _lacking(these: list[Any], those: list[Any]) -> list[Any]:
    spare = Counter(map(key_of, those))
    spare.subtract(map(key_of, these))
    return [each for each in these if spare[key_of(each)] < 0]


def _records_of(event: Any, case: Case) -> str:
    """Return the records of the event's mover and fence as words, by event time."""
    if not isinstance(event, list) or len(event) != 4:
        return ""
    keys = {"positions": event[1], "fences": event[2]}
    found = [
        (time_ms, f"{key} {'deleted' if value is None else value} at {time_ms} in file {number}")
        for number, file in enumerate(case["files"], 1)
        for topic, key, value, time_ms in file
        if keys[topic] == key
    ]
    return f" Records of {shown(event[1])} and {shown(event[2])}: {', '.join(text for _, text in sorted(found))}."


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
