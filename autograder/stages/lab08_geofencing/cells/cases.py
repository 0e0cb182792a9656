"""Seeded cases of `cells_near`: circles at borders of cells, far north, at the antimeridian, and inside a cell."""

from autograder.checks import Case
from autograder.checks.seeds import random_for

DISTANCES_M = (0.5, 5.0, 60.0, 5000.0)
SPANS = 8192  # cells per degree of a circle of 5 m


def _circle(lon: float, lat: float, distance_m: float) -> Case:
    return {"lon": lon, "lat": lat, "distance_m": distance_m}


def anywhere(seed: str) -> list[Case]:
    """Return circles across borders of cells, at random places, and where a circle is wider than a cell."""
    rng = random_for(seed, "anywhere")
    borders = [(17.00001, 61.0), (0.0, -0.00001), (-70.5, -33.25), (90.0, 88.5), (33.0, 75.00002), (120.25, -88.9)]
    drawn = [
        (rng.uniform(-179, 179), rng.choice((1, -1)) * rng.uniform(low, low + 20), rng.choice(DISTANCES_M))
        for low in (0, 30, 60, 68)
        for _ in range(12)
    ]
    far_north = _circle(-2.5773, 89.0, 5000.0)  # wider than its distance over the cosine of its latitude
    return [*(_circle(*place, 5.0) for place in borders), far_north, *(_circle(*each) for each in drawn)]


def antimeridian(seed: str) -> list[Case]:
    """Return circles across 180 degrees, on both sides, near the equator and further away.

    At 62.6° N, the circle touches two columns of cells east of 180 degrees.
    """
    rng = random_for(seed, "antimeridian")
    found = [_circle(-180.0, 10.0, 5.0), _circle(179.99999, -18.0, 5.0), _circle(-179.99999, 0.00001, 5.0)]
    found += [_circle(-179.99994, 62.6, 5.0)]
    for distance_m in DISTANCES_M:
        near = distance_m / 111_195 * rng.uniform(0.01, 0.9)
        found += [_circle(180 - near, rng.uniform(-40, 40), distance_m)]
        found += [_circle(near - 180, rng.uniform(-40, 40), distance_m)]
    return found


def inside(seed: str) -> list[Case]:
    """Return circles in the middle of cells near the equator, which touch no other cell."""
    rng = random_for(seed, "inside")
    cells = [
        (0, 0),
        (-1, -1),
        *((rng.randrange(-1_474_560, 1_474_560), rng.randrange(-80_000, 80_000)) for _ in range(9)),
    ]
    return [_circle((column + 0.5) / SPANS, (row + 0.5) / SPANS, 5.0) for column, row in cells]
