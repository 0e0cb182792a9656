"""The cells of a circle: those of places on it, found by walking around it, and those of its boxes."""

import math
from dataclasses import dataclass
from typing import Any

EARTH_M = 6_371_008.8
STEPS = 2_000
ROUNDING = 1e-9  # degrees
Cell = list[int]


@dataclass(frozen=True)
class Cells:
    """The cells that must be found, and those that may be found: all in the boxes of the circle."""

    touched: list[Cell]
    in_boxes: list[Cell]


def cells(case: dict[str, Any]) -> Cells:
    """Return the cells of a circle that is not over a pole."""
    lon, lat, distance_m = case["lon"], case["lat"], case["distance_m"]
    per_degree = 2.0 ** math.floor(math.log2(50_000 / distance_m))
    places = [(lon, lat), *(_walked(lon, lat, distance_m * (1 - 1e-7), step) for step in range(STEPS))]
    touched = {(math.floor(x * per_degree), math.floor(y * per_degree)) for x, y in places}
    return Cells(sorted(map(list, touched)), sorted(map(list, _in_boxes(lon, lat, distance_m, per_degree))))


def _walked(lon: float, lat: float, distance_m: float, step: int) -> tuple[float, float]:
    """Return the place at this distance in one of STEPS directions, by turning a vector; longitudes are below 180."""
    east, north, angle = math.radians(lon), math.radians(lat), distance_m / EARTH_M
    up = (math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north))
    to_east = (-math.sin(east), math.cos(east), 0.0)
    to_north = (-math.sin(north) * math.cos(east), -math.sin(north) * math.sin(east), math.cos(north))
    bearing = 2 * math.pi * step / STEPS
    x, y, z = (
        math.cos(angle) * u + math.sin(angle) * (math.sin(bearing) * e + math.cos(bearing) * n)
        for u, e, n in zip(up, to_east, to_north, strict=True)
    )
    return (math.degrees(math.atan2(y, x)) + 180) % 360 - 180, math.degrees(math.atan2(z, math.hypot(x, y)))


def _in_boxes(lon: float, lat: float, distance_m: float, per_degree: float) -> set[tuple[int, int]]:
    """Return the cells between the parallels and the meridians that touch the circle."""
    angle = distance_m / EARTH_M
    wide = math.degrees(math.asin(math.sin(angle) / math.cos(math.radians(lat)))) * (1 + ROUNDING) + ROUNDING
    high = math.degrees(angle) * (1 + ROUNDING) + ROUNDING
    spans = [(lon - wide, lon + wide)]
    if lon - wide < -180:
        spans = [(lon - wide + 360, 180), (-180, lon + wide)]
    elif lon + wide >= 180:
        spans = [(lon - wide, 180), (-180, lon + wide - 360)]
    south, north = (math.floor((lat + by) * per_degree) for by in (-high, high))
    return {
        (column, row)
        for west, east in spans
        for column in range(math.floor(west * per_degree), math.floor(east * per_degree) + 1)
        for row in range(south, north + 1)
    }
