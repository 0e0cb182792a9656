"""Other right solutions of the geometry tasks; each must get full marks."""

import json
from itertools import pairwise

import shapely

from autograder.checks.mutant_markers import alternative
from streamlab.lab08_geofencing.geo import Change, Position, turn


# GEOS decides; its own arithmetic is exact as well.
@alternative("covers")
def contains(polygons, lon, lat):
    place = shapely.Point(lon, lat)
    return any(bool(shapely.Polygon(shell, holes).covers(place)) for shell, *holes in polygons)


# Counts how often each ring runs around the place; a hole does not count.
@alternative("winding")
def contains(polygons, lon, lat):
    def winding(ring):
        number = 0
        for a, b in pairwise(ring):
            on_line = turn(a, b, (lon, lat))
            if on_line == 0 and sorted([a, b, (lon, lat)])[1] == (lon, lat):
                return None
            if a[1] <= lat < b[1] and on_line > 0:
                number += 1
            if b[1] <= lat < a[1] and on_line < 0:
                number -= 1
        return number

    for polygon in polygons:
        around = [winding(ring) for ring in polygon]
        if None in around or (around[0] != 0 and not any(around[1:])):
            return True
    return False


# Valid polygons do not overlap, so the edges of all rings can be crossed in one go.
@alternative("even_odd_over_all_rings")
def contains(polygons, lon, lat):
    crossed = 0
    for a, b in (edge for polygon in polygons for ring in polygon for edge in pairwise(ring)):
        south, north = sorted((a, b), key=lambda place: place[1])
        side = turn(south, north, (lon, lat))
        if side == 0 and south[1] <= lat <= north[1] and min(a[0], b[0]) <= lon <= max(a[0], b[0]):
            return True
        crossed += south[1] <= lat < north[1] and side > 0
    return crossed % 2 == 1


# GEOS reads the geometry, after checks for flaws that it accepts.
@alternative("from_geojson")
def read_record(topic, key, value, time_ms, offset):
    if topic not in ("positions", "fences") or key is None or key == "" or time_ms < 0:
        raise ValueError(f"record {offset} of {topic}: no key, or time {time_ms}")
    if value is None:
        if topic == "positions":
            raise ValueError("a position without a value")
        return Change(key, time_ms, None, offset)
    try:
        held = json.loads(value)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(held, dict):
        raise ValueError("expected an object")
    if topic == "positions":
        lon, lat = held.get("lon"), held.get("lat")
        if held.get("mover") != key or not (is_degrees(lon, 180) and is_degrees(lat, 90)):
            raise ValueError(f"position {value}")
        return Position(key, time_ms, (float(lon) + 180) % 360 - 180 if lon == 180 else float(lon), float(lat), offset)
    if held.get("type") not in ("Polygon", "MultiPolygon"):
        raise ValueError("expected a polygon")
    places = without_altitudes(held.get("coordinates"), 2 + (held["type"] == "MultiPolygon"))
    try:
        geometry = shapely.from_geojson(json.dumps({"type": held["type"], "coordinates": places}))
    except shapely.errors.ShapelyError as problem:
        raise ValueError(str(problem)) from None
    if geometry.is_empty or not geometry.is_valid:
        raise ValueError(shapely.is_valid_reason(geometry))
    polygons = geometry.geoms if held["type"] == "MultiPolygon" else [geometry]
    rings = [[each.exterior, *each.interiors] for each in polygons]
    found = tuple(tuple(tuple(ring.coords) for ring in polygon) for polygon in rings)
    if any(abs(b[0] - a[0]) > 180 for polygon in found for ring in polygon for a, b in pairwise(ring)):
        raise ValueError("an edge over 180 degrees")
    return Change(key, time_ms, found, offset)


def is_degrees(number, limit):
    return not isinstance(number, bool) and isinstance(number, int | float) and abs(number) <= limit


def without_altitudes(value, levels):
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list, got {value}")
    if levels == 0:
        if len(value) not in (2, 3) or not (is_degrees(value[0], 180) and is_degrees(value[1], 90)):
            raise ValueError(f"no place: {value}")
        return value[:2]
    found = [without_altitudes(each, levels - 1) for each in value]
    if levels == 1 and (len(found) < 4 or found[0] != found[-1]):
        raise ValueError(f"no closed ring: {value}")
    return found
