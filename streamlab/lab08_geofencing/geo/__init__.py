"""Places, fences, events and answers: the types of Lab 8, and geometry in the plane and on the sphere."""

from streamlab.lab08_geofencing.geo.cells import cell_of, pairs_in_cell
from streamlab.lab08_geofencing.geo.errors import MeasuringError, NotCaughtUp, Unavailable
from streamlab.lab08_geofencing.geo.plane import bounds, turn
from streamlab.lab08_geofencing.geo.records import (
    Answer,
    Box,
    Change,
    Event,
    Place,
    Polygon,
    Polygons,
    Position,
    Ring,
    Scaled,
)
from streamlab.lab08_geofencing.geo.sphere import EARTH_M, around, circle, metres

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
    "cell_of",
    "circle",
    "metres",
    "pairs_in_cell",
    "turn",
]
