"""Stubs of Lab 8's `Watch` and Lab 4's `Aggregate`, and counters around the learner's own.

The stub of `Watch` takes the bounding box of a fence for the fence. The stub of `Aggregate` keeps all rows of the open
windows, and aggregates nothing until they close.
"""

from collections import defaultdict
from collections.abc import Callable
from statistics import fmean
from typing import Any

from streamlab.lab08_geofencing.geo import Change, Event, Position, bounds

ON_ROWS: dict[str, Callable[[list[Any]], Any]] = {
    "COUNT": len,
    "SUM": sum,
    "MIN": min,
    "MAX": max,
    "AVG": fmean,
    "FIRST_VAL": lambda values: values[0],
    "LAST_VAL": lambda values: values[-1],
}


class BoxWatch:
    """Reports who enters and leaves the bounding boxes of fences; `state` is ({fence: box}, {mover: position})."""

    def __init__(self, state: Any = None) -> None:
        self.state: tuple[dict[str, Any], dict[str, Position]] = state or ({}, {})

    def move(self, position: Position) -> list[Event]:
        """Return the events of a position that is newer than the mover's last one."""
        boxes, last = self.state
        known = last.get(position.mover)
        if known and known.time_ms >= position.time_ms:
            return []
        last[position.mover] = position
        pairs = ((fence, _is_in(box, known), _is_in(box, position)) for fence, box in boxes.items())
        return [
            Event(_kind(*was_is), position.mover, fence, position.time_ms) for fence, *was_is in pairs if any(was_is)
        ]

    def change(self, change: Change) -> list[Event]:
        """Return the events of the movers whose last positions a changed fence affects."""
        boxes, last = self.state
        old, new = boxes.pop(change.fence, None), None if change.polygons is None else bounds(change.polygons)
        if new:
            boxes[change.fence] = new
        moved = ((mover, _is_in(old, each), _is_in(new, each)) for mover, each in last.items())
        return [Event(_kind(was, now), mover, change.fence, change.time_ms) for mover, was, now in moved if was != now]


def _is_in(box: Any, place: Position | None) -> bool:
    if box is None or place is None:
        return False
    return bool(box.west <= place.lon <= box.east and box.south <= place.lat <= box.north)


def _kind(was_inside: bool, is_inside: bool) -> str:
    return ("INSIDE" if was_inside else "ENTER") if is_inside else "EXIT"


class ListAggregate:
    """Aggregates windows of time when they close; `state` has the rows of open windows and the last `now_ms`."""

    def __init__(self, group_by: Any, window: Any, functions: Any) -> None:
        self.group_by, self.window, self.functions = list(group_by), window, dict(functions)
        self.state: dict[str, Any] = {"rows": [], "now_ms": None}

    def on_row(self, row: dict[str, Any], port: int = 0) -> list[Any]:
        """Keep a row."""
        self.state["rows"].append(row)
        return []

    def on_time(self, now_ms: int) -> list[dict[str, Any]]:
        """Return a row for each group and window that ends after the last call and not after `now_ms`."""
        size, advance = self.window
        closing, before_ms = defaultdict[Any, list[Any]](list), self.state["now_ms"]
        if before_ms is not None and now_ms // advance == before_ms // advance:
            return []  # no window ends in between
        for row in self.state["rows"]:
            for start in range(row["t"] // advance * advance, row["t"] - size, -advance):
                if start + size <= now_ms and (before_ms is None or start + size > before_ms):
                    closing[start + size, *(row[field] for field in self.group_by)].append(row)
        self.state["now_ms"] = max(now_ms, now_ms if before_ms is None else before_ms)
        self.state["rows"] = [row for row in self.state["rows"] if row["t"] > now_ms - size]
        return [
            self._result(end, group, rows) for (end, *group), rows in sorted(closing.items(), key=lambda at: at[0][0])
        ]

    def _result(self, end: int, group: list[Any], rows: list[Any]) -> dict[str, Any]:
        results = {name: ON_ROWS[how]([row[of] for row in rows]) for name, (how, of) in self.functions.items()}
        return {**dict(zip(self.group_by, group, strict=True)), **results, "t": end - 1}


def counted(own: Any, *methods: str) -> Any:
    """Return a subclass of the learner's own class that counts the calls of its methods in `calls`."""

    def counting(name: str) -> Any:
        def method(self: Any, *arguments: Any) -> Any:
            marked.calls[name] += 1
            return getattr(own, name)(self, *arguments)

        return method

    marked: Any = type(
        own.__name__, (own,), {name: counting(name) for name in methods} | {"calls": dict.fromkeys(methods, 0)}
    )
    return marked
