"""The records of Lab 8: positions and changes are inputs, events and answers are outputs.

Longitude comes before latitude everywhere, in degrees. Times are milliseconds of event time, offsets are Kafka's.
"""

from typing import Any, NamedTuple

Place = tuple[float, float]  # (longitude, latitude)
Ring = tuple[Place, ...]  # closed: its last place is its first one; at least 4 places
Polygon = tuple[Ring, ...]  # (shell, *holes)
Polygons = tuple[Polygon, ...]  # the parts of one fence


class Position(NamedTuple):
    """The place of a mover at a time. Longitudes are at least -180 and below 180."""

    mover: str
    time_ms: int
    lon: float
    lat: float
    offset: int


class Change(NamedTuple):
    """The shape of a fence from a time on; `polygons` is None if the fence is deleted."""

    fence: str
    time_ms: int
    polygons: Polygons | None
    offset: int


class Event(NamedTuple):
    """An event of a mover at a fence; `kind` is "ENTER", "INSIDE" or "EXIT"."""

    kind: str
    mover: str
    fence: str
    time_ms: int


class Answer(NamedTuple):
    """Sorted movers, and the next offset of each partition on which the answer is based."""

    movers: list[str]
    offsets: dict[Any, int]


class Box(NamedTuple):
    """A rectangle of longitudes and latitudes, including its edges."""

    west: float
    south: float
    east: float
    north: float


class Scaled(NamedTuple):
    """One run of a measurement of scalability.

    `bound` is "nodes" if the run did not keep up with the offered load, otherwise "load". `speedup` is relative to one
    node of the smallest run, and None if that run was bound by its load.
    """

    nodes: int
    offered_per_s: float
    achieved_per_s: float
    lag: float
    lag_growth_per_s: float
    bound: str
    speedup: float | None
