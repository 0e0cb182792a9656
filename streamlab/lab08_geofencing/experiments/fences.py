"""Synthetic fences and places for Lab 8's experiments. Hits per place do not depend on the number of fences."""

import math
import random
from collections.abc import Iterator, Mapping

from streamlab.lab08_geofencing.geo import Place, Polygons, Position, bounds

WEST, SOUTH = 17.0, 59.0  # fences and places lie within one degree to the east and to the north
CORNERS, REACH = 16, 0.5


def stars(seed: object, count: int, corners: int = CORNERS) -> dict[str, Polygons]:
    """Return fences of `corners` corners each; a place lies in 0.4 of them on average.

    Raises ValueError unless count >= 1 and corners >= 3.
    """
    if count < 1 or corners < 3:
        raise ValueError(f"expected count >= 1 and corners >= 3, got {count} and {corners}")
    rng = random.Random(f"{seed}/stars")
    return {f"fence-{number:05}": _star(rng, REACH / math.sqrt(count), corners) for number in range(count)}


def places(seed: object, count: int) -> list[Place]:
    """Return places that are spread evenly over the fences."""
    rng = random.Random(f"{seed}/places")
    return [(WEST + rng.random(), SOUTH + rng.random()) for _ in range(count)]


def positions(seed: object, count: int, movers: int, every_ms: int = 1) -> list[Position]:
    """Return positions of `movers` movers in order of time, each a step from its last one; offsets start at 0."""
    rng, at = random.Random(f"{seed}/positions"), places(f"{seed}/movers", movers)
    found = list[Position]()
    for number in range(count):
        mover = rng.randrange(movers)
        lon, lat = at[mover][0] + rng.gauss(0, 0.002), at[mover][1] + rng.gauss(0, 0.001)
        at[mover] = min(max(lon, WEST), WEST + 1), min(max(lat, SOUTH), SOUTH + 1)
        found.append(Position(f"mover-{mover:05}", number * every_ms, *at[mover], number))
    return found


class Scan:
    """The baseline: it compares every fence's box, then calls `exact`. It has the methods of a FenceIndex."""

    def __init__(self, exact: object) -> None:
        self._exact, self._fences = exact, dict[str, tuple[tuple[float, ...], Polygons]]()

    def put(self, fence: str, polygons: Polygons) -> None:
        """Add or replace a fence."""
        self._fences[fence] = bounds(polygons), polygons

    def at(self, lon: float, lat: float) -> list[str]:
        """Return the sorted fences that contain a place."""
        return sorted(self._at(lon, lat))

    def _at(self, lon: float, lat: float) -> Iterator[str]:
        exact = self._exact
        for fence, ((west, south, east, north), polygons) in self._fences.items():
            if west <= lon <= east and south <= lat <= north and exact(polygons, lon, lat):  # type: ignore[operator]
                yield fence


class Tree:
    """Fences in GEOS' STRtree through shapely: one place at a time, or all at once (`bulk`)."""

    def __init__(self, fences: Mapping[str, Polygons]) -> None:
        import shapely

        self._names, self._point, self._points = list(fences), shapely.Point, shapely.points
        self._tree = shapely.STRtree([_geometry(each) for each in fences.values()])

    def at(self, lon: float, lat: float) -> list[str]:
        """Return the sorted fences that contain a place."""
        return sorted(self._names[each] for each in self._tree.query(self._point(lon, lat), "intersects"))

    def bulk(self, asked: list[Place]) -> list[list[str]]:
        """Return the sorted fences of each place."""
        found: list[list[str]] = [[] for _ in asked]
        place_numbers, fence_numbers = self._tree.query(self._points(asked), "intersects")
        for place, fence in zip(place_numbers.tolist(), fence_numbers.tolist(), strict=True):
            found[place].append(self._names[fence])
        return [sorted(each) for each in found]


def _star(rng: random.Random, reach: float, corners: int) -> Polygons:
    lon, lat = WEST + rng.random(), SOUTH + rng.random()
    ring = []
    for corner in range(corners):
        angle, away = 2 * math.pi * corner / corners, reach * rng.uniform(0.4, 1)
        ring.append((lon + away * math.cos(angle), lat + away * math.sin(angle)))
    return (((*ring, ring[0]),),)


def _geometry(polygons: Polygons) -> object:
    import shapely

    return shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons])
