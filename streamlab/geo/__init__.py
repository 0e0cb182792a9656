"""Places, fences, events and answers: the types of Lab 8, and geometry in the plane and on the sphere."""

from streamlab.geo.errors import MeasuringError, NotCaughtUp, Unavailable
from streamlab.geo.plane import bounds, turn
from streamlab.geo.records import Answer, Box, Change, Event, Place, Polygon, Polygons, Position, Ring, Scaled
from streamlab.geo.sphere import EARTH_M, around, circle, metres

__all__ = [
    "EARTH_M",
    "Answer",
    "Box",
    "Change",
    "Event",
    "MeasuringError",
    "NotCaughtUp",
    "Place",
    "Polygon",
    "Polygons",
    "Position",
    "Ring",
    "Scaled",
    "Unavailable",
    "around",
    "bounds",
    "circle",
    "metres",
    "turn",
]
