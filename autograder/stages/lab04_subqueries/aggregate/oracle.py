"""The right windows and aggregates from their definition: every window is compared with every row.

No state passes from one window to the next.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
Window = Sequence[Any]  # ["time" or "size", size, advance]

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "COUNT": len,
    "SUM": sum,
    "MIN": min,
    "MAX": max,
    "AVG": lambda values: sum(values) / len(values),
    "FIRST_VAL": lambda values: values[0],
    "LAST_VAL": lambda values: values[-1],
}
NAMES = tuple(FUNCTIONS)


def starts(window: Window, at: int) -> list[int]:
    """Return the starts of all windows that hold a position; windows of rows exist from row 0 on.

    Example: starts(["time", 10, 4], 9) -> [0, 4, 8]
    """
    kind, size, advance = window
    lowest = 0 if kind == "size" else at - size
    return [start for start in range(lowest, at + 1) if start % advance == 0 and start <= at < start + size]


def result_of(name: str, values: Sequence[Any]) -> Any:
    """Return the result of an aggregate function over values, the earliest first."""
    return FUNCTIONS[name](values)


def answers(case: dict[str, Any]) -> list[list[Row]]:
    """Return the result of each call of the drive: on_time and on_row for every row, then on_time for the end."""
    rows, by_call = case["rows"], list[list[Row]]()
    timed, sized = list(_timed(case)), list(_sized(case))
    until = [*(row["t"] for row in rows), case.get("until_ms", 1 << 62)]
    for number, now_ms in enumerate(until):
        before = until[number - 1] if number else -(1 << 62)
        by_call.append([row for end, row in timed if before < end <= now_ms])
        if number < len(rows):
            by_call.append([row for last, row in sized if last == number])
    return by_call


def needed_rows(case: dict[str, Any]) -> list[int]:
    """Return after each row, and after the end, how many rows are in a window that is still to be emitted."""
    spans = [span for group in _groups(case) for span in _spans(case, group)]
    return [sum(came <= now < emitted for came, emitted in spans) for now in range(len(case["rows"]) + 1)]


def _spans(case: dict[str, Any], group: list[tuple[int, Row]]) -> Iterator[tuple[int, float]]:
    """Yield for each row of a group its number, and that of the row with which its last window is emitted."""
    window, size = case["window"], case["window"][1]
    times = [*(row["t"] for row in case["rows"]), case.get("until_ms", 1 << 62)]
    for place, (number, row) in enumerate(group):
        if window[0] == "time":
            end_ms = starts(window, row["t"])[-1] + size
            yield number, next((at for at, now_ms in enumerate(times) if now_ms >= end_ms), math.inf)
        else:
            last = starts(window, place)[-1] + size - 1
            yield number, group[last][0] if last < len(group) else math.inf


def _timed(case: dict[str, Any]) -> Iterator[tuple[int, Row]]:
    """Yield each window of time that holds rows, with its end."""
    kind, size, advance = case["window"]
    times = [row["t"] for row in case["rows"]]
    if kind == "size" or not times:
        return
    for start in range(min(times) // advance * advance - size // advance * advance, max(times) + 1, advance):
        for group in _groups(case):
            in_window = [row for _, row in group if start <= row["t"] < start + size]
            if in_window:
                yield start + size, _result(case, in_window, start + size - 1)


def _sized(case: dict[str, Any]) -> Iterator[tuple[int, Row]]:
    """Yield each full window of rows, with the number of its last row among all rows."""
    kind, size, advance = case["window"]
    if kind == "time":
        return
    for group in _groups(case):
        for start in range(0, len(group) - size + 1, advance):
            in_window = group[start : start + size]
            last, row = in_window[-1]
            yield last, _result(case, [row for _, row in in_window], row["t"])


def _groups(case: dict[str, Any]) -> list[list[tuple[int, Row]]]:
    """Return the rows of each group with their numbers among all rows."""
    groups: dict[Any, list[tuple[int, Row]]] = {}
    for number, row in enumerate(case["rows"]):
        groups.setdefault(_key(case, row), []).append((number, row))
    return list(groups.values())


def _key(case: dict[str, Any], row: Row) -> tuple[Any, ...]:
    return tuple(row[field] for field in case["group_by"])


def _result(case: dict[str, Any], in_window: Sequence[Row], time_ms: int) -> Row:
    results = {
        result: result_of(name, [row[field] for row in in_window])
        for result, (name, field) in case["functions"].items()
    }
    return {**{field: in_window[0][field] for field in case["group_by"]}, **results, "t": time_ms}


def most_operations(case: dict[str, Any]) -> int:
    """Return how many + and comparisons one SUM and one MAX may take: two per row and two per part of a window.

    A part is as long as the greatest common divisor of size and advance; every window consists of such parts.
    """
    _, size, advance = case["window"]
    part = max(each for each in range(1, advance + 1) if size % each == 0 and advance % each == 0)
    times = [row["t"] for row in case["rows"]]
    parts = sum(
        len({at // part for at in times if start <= at < start + size})
        for start in range(min(times) // advance * advance - size // advance * advance, max(times) + 1, advance)
    )
    return 2 * (len(times) + parts)
