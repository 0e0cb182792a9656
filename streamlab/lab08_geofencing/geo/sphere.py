"""Distances in metres on a sphere, the boxes around a circle, and a circle as a fence."""

from math import asin, atan2, cos, degrees, pi, radians, sin, sqrt

from streamlab.lab08_geofencing.geo.records import Box, Place, Polygons

EARTH_M = 6_371_008.8  # mean radius (IUGG); Redis and Valkey use 6,372,797.560856


def metres(lon: float, lat: float, other_lon: float, other_lat: float) -> float:
    """Return the length of the great circle between two places (haversine formula).

    Example: metres(0, 0, 0, 1) -> 111195.0802335329
    """
    here, there = radians(lat), radians(other_lat)
    east = sin(radians(other_lon - lon) / 2) ** 2
    h = sin((there - here) / 2) ** 2 + cos(here) * cos(there) * east
    return 2 * EARTH_M * asin(sqrt(min(h, 1.0)))  # rounding takes h above 1 for antipodes; NaN stays NaN in this order


def around(lon: float, lat: float, radius_m: float) -> list[Box]:
    """Return one box, or two at the antimeridian, that contain every place at most `radius_m` away.

    A circle over a pole gets all longitudes. The boxes are a billionth wider than the circle, so that rounding
    excludes no place.

    Raises ValueError if the place is out of range or the radius is negative or NaN.
    Example: around(179.99, -18, 5000) -> two boxes, west and east of the antimeridian
    """
    _require_circle("around", lon, lat, radius_m)
    angle = radius_m / EARTH_M * (1 + 1e-9) + 1e-12
    south, north = lat - degrees(angle), lat + degrees(angle)
    if south <= -90 or north >= 90:
        return [Box(-180.0, max(-90.0, south), 180.0, min(90.0, north))]
    # The sine of the angle between the centre and the meridians that touch the circle; rounded up like the radius.
    wide = degrees(asin(min(1.0, sin(angle) / cos(radians(lat)) + 1e-12)))
    west, east = lon - wide, lon + wide
    if west < -180:
        return [Box(west + 360, south, 180.0, north), Box(-180.0, south, east, north)]
    if east >= 180:
        return [Box(west, south, 180.0, north), Box(-180.0, south, east - 360, north)]
    return [Box(west, south, east, north)]


def circle(lon: float, lat: float, radius_m: float, corners: int = 32) -> Polygons:
    """Return a fence: the polygon whose corners lie `radius_m` from a place, cut in two at the antimeridian.

    Raises ValueError if the place is out of range, the radius is not positive, there are fewer than 3 corners, or
    the circle comes within a degree of a pole, where a polygon of a few corners says little about a circle.
    Example: bounds(circle(17.6, 59.8, 1000)) -> Box(west=17.58212…, south=59.79100…, east=17.61787…, north=59.80899…)
    """
    _require_circle("circle", lon, lat, radius_m)
    if not radius_m > 0:
        raise ValueError(f"circle: expected a positive radius in metres, got {radius_m}")
    if corners < 3:
        raise ValueError(f"circle: expected at least 3 corners, got {corners}")
    if abs(lat) + degrees(radius_m / EARTH_M) > 89:
        raise ValueError(
            f"circle: expected a circle at least a degree from the poles, got {radius_m} m around {lat}° N"
        )
    bearings = (-2 * pi * corner / corners for corner in range(corners))  # RFC 7946: a shell runs counter-clockwise
    ring = [_destination(lon, lat, bearing, radius_m / EARTH_M) for bearing in bearings]
    moved = ([(east + turns, north) for east, north in ring] for turns in (-360, 0, 360))
    parts = (_west_of(180, _east_of(-180, part)) for part in moved)
    return tuple(((*part, part[0]),) for part in map(tuple, parts) if len(part) >= 3)


def _destination(lon: float, lat: float, bearing: float, angle: float) -> Place:
    """Return the place at an angular distance in a direction; its longitude may lie beyond ±180."""
    here = radians(lat)
    there = asin(sin(here) * cos(angle) + cos(here) * sin(angle) * cos(bearing))
    east = atan2(sin(bearing) * sin(angle) * cos(here), cos(angle) - sin(here) * sin(there))
    return lon + degrees(east), degrees(there)


def _west_of(limit: float, ring: list[Place]) -> list[Place]:
    """Return the part of a ring up to a meridian (Sutherland and Hodgman), or [] if it is at most an edge."""
    kept = list[Place]()
    for (lon, lat), (next_lon, next_lat) in zip(ring, ring[1:] + ring[:1], strict=True):
        if lon <= limit:
            kept.append((lon, lat))
        if (lon < limit < next_lon) or (next_lon < limit < lon):
            kept.append((limit, lat + (limit - lon) / (next_lon - lon) * (next_lat - lat)))
    return kept if any(lon < limit for lon, _ in kept) else []


def _east_of(limit: float, ring: list[Place]) -> list[Place]:
    """Return the part of a ring from a meridian on, by the same method on the mirrored ring."""
    return [(-lon, lat) for lon, lat in _west_of(-limit, [(-lon, lat) for lon, lat in ring])]


def _require_circle(name: str, lon: float, lat: float, radius_m: float) -> None:
    if not (-180 <= lon <= 180 and -90 <= lat <= 90):
        raise ValueError(f"{name}: expected a longitude of ±180 and a latitude of ±90 degrees, got ({lon}, {lat})")
    if not radius_m >= 0:
        raise ValueError(f"{name}: expected a radius of at least 0 m, got {radius_m}")
