"""Stubs of `read_record`, `in_order` and `Watch` by another rule, for the workers of Spark as well.

A position is written "lon;lat", and a fence is a list of longitudes, "1;2;3". Movers come "IN", go "OUT" and "STAY".
At one time, positions come before changes, and a late position is returned as one of a mover "late".
"""

from typing import Any

from streamlab.lab08_geofencing.geo import Change, Event, Position

Row = Position | Change


def read_line(topic: str, key: str | None, value: str | None, time_ms: int, offset: int) -> Row:
    """Return a position or a change. Raises ValueError for anything else."""
    if not key or (topic == "positions" and value is None):
        raise ValueError(f"expected a key and a value, got {key!r} and {value!r}")
    numbers: Any = None if value is None else [float(each) for each in value.split(";")]
    if topic == "fences":
        return Change(key, time_ms, numbers, offset)
    lon, lat = numbers
    return Position(key, time_ms, lon, lat, offset)


def positions_first(
    waiting: list[Row], arrived: list[Row], done_ms: int, watermark_ms: int
) -> tuple[list[Row], list[Row], list[Position]]:
    """Return the rows to process now, the waiting ones, and the late ones as positions of a mover "late"."""
    changes = [each._replace(time_ms=max(done_ms, each.time_ms)) for each in arrived if isinstance(each, Change)]
    moves = [each for each in arrived if isinstance(each, Position) and each.time_ms > done_ms]
    late = [each._replace(mover="late") for each in arrived if isinstance(each, Position) and each.time_ms <= done_ms]
    rows = sorted([*waiting, *changes, *moves], key=lambda row: (row.time_ms, isinstance(row, Change), row.offset))
    reached = [row.time_ms <= watermark_ms for row in rows].count(True)
    return rows[:reached], rows[reached:], late


class LongitudesWatch:
    """Tracks movers at the longitudes of fences; `state` is ({fence: longitudes}, {mover: last position})."""

    def __init__(self, state: Any = None) -> None:
        self.state: tuple[dict[str, Any], dict[str, Position]] = state or ({}, {})

    def move(self, position: Position) -> list[Event]:
        """Return the events of a position."""
        fences, last = self.state
        known = last.get(position.mover)
        if known and known.time_ms >= position.time_ms:
            return []
        last[position.mover] = position
        pairs = (
            (fence, known is not None and known.lon in lons, position.lon in lons) for fence, lons in fences.items()
        )
        kinds = [(_kind(before, now), fence) for fence, before, now in pairs]
        return [Event(kind, position.mover, fence, position.time_ms) for kind, fence in kinds if kind]

    def change(self, change: Change) -> list[Event]:
        """Return the events of a changed fence for movers that stand still."""
        fences, last = self.state
        old, new = fences.pop(change.fence, ()), list[Any](change.polygons or ())
        if change.polygons is not None:
            fences[change.fence] = new
        kinds = [(_kind(each.lon in old, each.lon in new), mover) for mover, each in last.items()]
        return [Event(kind, mover, change.fence, change.time_ms) for kind, mover in kinds if kind in ("IN", "OUT")]


def _kind(before: bool, now: bool) -> str:
    return ("STAY" if before else "IN") if now else "OUT" if before else ""
