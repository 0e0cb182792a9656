"""Seeded fences and places for `contains`, smallest first. `cases_records` holds those of `read_record`."""

import itertools
import random
from math import cos, inf, nextafter, pi, sin
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab08_geofencing.fences import districts

Ring = list[list[float]]
HOLED = [
    [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]],
    [[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0], [1.0, 1.0]],
]
LETTER_U = [[0, 0], [9, 0], [9, 7], [6, 7], [6, 2], [3, 2], [3, 7], [0, 7], [0, 0]]
TRIANGLE = [[10.1, 59.3], [10.7, 59.9], [10.4, 59.1], [10.1, 59.3]]


def rectangle(west: float, south: float, east: float, north: float) -> Ring:
    """Return a closed ring, counter-clockwise."""
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def star(rng: random.Random, lon: float, lat: float, radius: float, corners: int) -> Ring:
    """Return a closed ring around a place that does not cross itself, with corners at 0.3 to 1 of the radius."""
    ring = []
    for corner in range(corners):
        length, angle = radius * rng.uniform(0.3, 1), 2 * pi * corner / corners
        ring.append([lon + length * cos(angle), lat + length * sin(angle)])
    return [*ring, ring[0]]


def swapped(seed: str) -> list[Case]:
    """Return rectangles whose places lie outside if longitude and latitude are swapped.

    No place lies on a boundary.
    """
    rng = random_for(seed, "swapped")
    cases: list[Case] = [{"polygons": [[rectangle(10, 0, 12, 2)]], "places": [[11, 1], [1, 11], [10.5, 1.5], [9, 1]]}]
    for _ in range(5):
        west, south = rng.uniform(95, 170) * rng.choice([-1, 1]), rng.uniform(-80, 80)
        ring = rectangle(west, south, west + rng.uniform(1, 5), south + rng.uniform(1, 5))
        places = [[west + rng.uniform(-3, 6), south + rng.uniform(-3, 6)] for _ in range(8)]
        cases.append({"polygons": [[ring]], "places": [[west + 0.5, south + 0.5], *places]})
    return cases


def concave(seed: str) -> list[Case]:
    """Return shapes that fill a part of their box, in both directions, with places next to corners.

    No place lies on a boundary.
    """
    rng = random_for(seed, "concave")
    letter = [[4.5, 5.5], [1.3, 6.1], [7.2, 1.1], [-1.3, 2.0], [1.3, 2.0], [4.3, 7.0], [-0.7, 0.0], [7.3, 6.9]]
    slanted = [[[0, 0], [3, 1], [7, 9], [4, 8], [0, 0]]]
    next_to = [[lon + 0.3137, lat] for lon in (-1, 1, 4, 6) for lat in (1, 8, 9)] + [[3.2, 4.1], [1, 7], [6, 2]]
    cases: list[Case] = [
        {"polygons": [[LETTER_U]], "places": letter},
        {"polygons": [[LETTER_U[::-1]]], "places": letter},
        {"polygons": [slanted], "places": next_to},
        {"polygons": [[slanted[0][::-1]]], "places": next_to},
    ]
    return [*cases, *_stars(rng), *_districts(rng)]


def _stars(rng: random.Random) -> list[Case]:
    """Return stars with places on the latitude of a corner: rays to the east and to the west meet the corner."""
    cases = []
    for _ in range(4):
        lon, lat, radius = rng.uniform(-150, 150), rng.uniform(-70, 70), 10 ** rng.uniform(-4, 1)
        ring = star(rng, lon, lat, radius, rng.randint(5, 16))
        next_to = [[corner[0] + rng.uniform(-1, 1) * radius, corner[1]] for corner in ring[1:]]
        places = [[lon + rng.uniform(-1, 1) * radius, lat + rng.uniform(-1, 1) * radius] for _ in range(10)]
        cases.append({"polygons": [[ring[:: rng.choice([1, -1])]]], "places": [*next_to, *places]})
    return cases


def _districts(rng: random.Random) -> list[Case]:
    cases = []
    for name in rng.sample([name for name, parts in sorted(districts().items()) if len(parts) == 1], 4):
        polygons = districts()[name]
        corners = [place for shell, *_ in polygons for place in shell]
        lons, lats = [lon for lon, _ in corners], [lat for _, lat in corners]
        box = (min(lons), max(lons)), (min(lats), max(lats))
        places = [[rng.uniform(*side) for side in box] for _ in range(8)]
        cases.append({"polygons": _lists(polygons), "places": places})
    return cases


def _lists(value: Any) -> Any:
    return list(map(_lists, value)) if isinstance(value, tuple) else value


def holes(seed: str) -> list[Case]:
    """Return places in holes, on their edges and corners, and between the rings; none lies on a shell."""
    rng = random_for(seed, "holes")
    small = [[2, 2], [1, 2], [3, 3], [0.5, 0.5], [5, 2], [2, 1], [2.5, 3], [3.5, 2]]
    west, south = rng.randint(-90, 80), rng.randint(-80, 60)
    two = [
        rectangle(west, south, west + 8, south + 8),
        rectangle(west + 1, south + 1, west + 3, south + 7)[:: rng.choice([1, -1])],
        [[west + 5, south + 2], [west + 7, south + 4], [west + 5, south + 6], [west + 5, south + 2]],
    ]
    grid = [[west + x / 2, south + y / 2] for x in range(1, 16) for y in range(1, 16, 2)]
    return [{"polygons": [HOLED], "places": small}, {"polygons": [two], "places": rng.sample(grid, 60) + grid[::7]}]


def edges(seed: str) -> list[Case]:
    """Return corners, places on edges, and places one rounding step away from slanted ones."""
    rng = random_for(seed, "edges")
    square = [[4, 4], [0, 2], [2, 0], [4.0000001, 4], [0.5, 0.5], [nextafter(4, inf), 2], [2, nextafter(0, -inf)]]
    golden = [[10.611208009110612, 59.6632213576283], [10.112929759061947, 59.291380160625366]]
    letter = [*LETTER_U, [1.5, 7], [4.5, 2], [4.5, 7], [9, 3], [3, 4], [10, 7], [-1, 0], [7.5, 7]]
    letter += [[lon, lat] for lon in (0, 3, 6, 9) for lat in (-1, 8)]  # in line with an edge
    cases: list[Case] = [
        {"polygons": [[rectangle(0, 0, 4, 4)]], "places": square},
        {"polygons": [[[[0, 0], [4, 0], [2, 1], [0, 0]]]], "places": [[2, 1], [0, 0], [4, 0]]},
        {"polygons": [[TRIANGLE]], "places": golden},
        {"polygons": [[LETTER_U]], "places": letter},
        {"polygons": [[LETTER_U[::-1]]], "places": letter},
        {"polygons": [[rectangle(5, -3, 9, 0)]], "places": [[1, -3], [1, 0], [10, -3], [10, 0], [5, -3], [7, 0]]},
    ]
    shapes = [TRIANGLE, [[0.1, 0.3], [0.7, 0.2], [0.9, 1.1], [0.1, 0.3]], star(rng, 17.6, 59.8, 0.3, 7)]
    return cases + [{"polygons": [[shape]], "places": _next_to(rng, shape)} for shape in shapes]


def _next_to(rng: random.Random, ring: Ring) -> list[list[float]]:
    places = []
    for a, b in itertools.pairwise(ring):
        for _ in range(60 // len(ring)):
            share = rng.random()
            lon, lat = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
            places += [[lon, lat], [nextafter(lon, inf), lat], [lon, nextafter(lat, -inf)]]
    return places


def parts(seed: str) -> list[Case]:
    """Return fences of several parts, one of them in the hole of another. No place lies on a boundary."""
    rng = random_for(seed, "parts")
    west, south = rng.randint(20, 80), rng.randint(-80, -30)
    island = [[west + 1.5, south + 1.5], [west + 2.5, south + 1.5], [west + 2, south + 2.5], [west + 1.5, south + 1.5]]
    ring_and_island = [[[[west + x, south + y] for x, y in ring] for ring in HOLED], [island]]
    inside = [[west + 2, south + 1.9], [west + 1.2, south + 2], [west + 0.5, south + 2], [west + 4.5, south + 2]]
    many = [[rectangle(west + 3 * n, south + n, west + 3 * n + 2, south + n + 2)] for n in range(5)]
    places = [[west + rng.uniform(-1, 15), south + rng.uniform(-1, 7)] for _ in range(30)]
    middles = [[west + 3 * n + 1, south + n + 1] for n in range(5)]
    return [
        {"polygons": [[rectangle(0, 0, 1, 1)], [rectangle(5, 2, 6, 3)]], "places": [[5.5, 2.5], [0.5, 0.25], [3, 1.5]]},
        {"polygons": ring_and_island, "places": inside},
        {"polygons": ring_and_island[::-1], "places": inside},
        {"polygons": many, "places": middles + places},
    ]
