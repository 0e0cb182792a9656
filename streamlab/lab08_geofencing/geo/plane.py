"""Geometry in the plane of degrees, where an edge is a straight line (RFC 7946, section 3.1.1)."""

from fractions import Fraction
from math import isfinite

from streamlab.lab08_geofencing.geo.records import Box, Place, Polygons


def turn(a: Place, b: Place, p: Place) -> int:
    """Return 1 if p lies to the left of the line from a to b, -1 if it lies to the right, 0 if it lies on it.

    The result is exact for all floats: where rounding could change it, it is computed with fractions.

    Raises ValueError if a coordinate is NaN or infinite.
    Example: turn((0, 0), (4, 0), (2, 1)) -> 1
    """
    left, right = (b[0] - a[0]) * (p[1] - a[1]), (b[1] - a[1]) * (p[0] - a[0])
    difference = left - right
    # The relative bound is that of J. R. Shewchuk's orient2d (3.33e-16), rounded up; the absolute one covers underflow.
    if abs(difference) > 4e-16 * (abs(left) + abs(right)) + 1e-300:
        return 1 if difference > 0 else -1
    return _exact_turn(a, b, p)


def _exact_turn(a: Place, b: Place, p: Place) -> int:
    if not all(isfinite(value) for value in (*a, *b, *p)):
        raise ValueError(f"turn: expected three places of finite numbers, got {a}, {b} and {p}")
    (ax, ay), (bx, by), (px, py) = ((Fraction(lon), Fraction(lat)) for lon, lat in (a, b, p))
    difference = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    return (difference > 0) - (difference < 0)


def bounds(polygons: Polygons) -> Box:
    """Return the smallest box that contains all shells.

    Raises ValueError if there is no polygon.
    Example: bounds(((((0, 0), (4, 0), (2, 3), (0, 0)),),)) -> Box(west=0, south=0, east=4, north=3)
    """
    shells = [place for shell, *_ in polygons for place in shell]
    if not shells:
        raise ValueError("bounds: expected at least one polygon, got none")
    lons, lats = [lon for lon, _ in shells], [lat for _, lat in shells]
    return Box(min(lons), min(lats), max(lons), max(lats))
