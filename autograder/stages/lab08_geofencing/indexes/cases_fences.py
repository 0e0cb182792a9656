"""Seeded scripts for `FenceIndex`, smallest first. The stub of `exact` is true in the eastern half of a fence's box."""

import random
from math import nextafter
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab08_geofencing.geometry.cases import rectangle

Call = list[Any]
MOST_OBJECTS = 2_000_000  # six times those of a grid of 1° that has the world as a fence


def put(fence: str, west: float, south: float, east: float, north: float) -> Call:
    """Return a fence whose shell is its bounding box."""
    return ["put", fence, [[rectangle(west, south, east, north)]]]


def _diamond(fence: str, lon: float, lat: float, wide: float, high: float) -> Call:
    ring = [[lon + wide, lat], [lon, lat + high], [lon - wide, lat], [lon, lat - high], [lon + wide, lat]]
    return ["put", fence, [[ring]]]


# This fence comes and goes where no place is asked: an index without `remove` is not a `FenceIndex`.
GONE = [put("gone", 100, 40, 101, 41), ["remove", "gone"]]


def _on_cells(rng: random.Random, number: int) -> tuple[Call, list[Call]]:
    """Return a fence whose corners are multiples of some 2^-k degrees, and places on its edges and corners."""
    cell = 2.0 ** -rng.randint(0, 5)
    west, south = rng.randint(-20, 20) * cell, rng.randint(-10, 10) * cell
    east, north = west + rng.randint(1, 4) * cell, south + rng.randint(1, 4) * cell
    middle = west + 0.75 * (east - west)
    places = [(east, north), (east, south), (middle, north), (west, south), (east, (south + north) / 2)]
    return put(f"f{number}", west, south, east, north), [["at", *place] for place in places]


def exactly(seed: str) -> list[Case]:
    """Return two fences, then 60 on and off the borders between cells, some with two parts, and places everywhere."""
    rng = random_for(seed, "exactly")
    small = [*GONE, put("a", 0, 0, 4, 4), put("b", 3, 3, 5, 5), ["at", 3, 2], ["at", 4, 4], ["at", 1, 1], ["at", 9, 9]]
    puts, questions = list[Call](), list[Call]()
    for number in range(40):
        fence, places = _on_cells(rng, number)
        puts.append(fence)
        questions += places
    for number in range(40, 58):
        size = 10 ** rng.uniform(-2, 0.3)
        puts.append(_diamond(f"f{number}", rng.uniform(-9, 9), rng.uniform(-9, 9), size, size / 3))
    for number in (58, 59):
        west = rng.uniform(-9, 0)
        parts = [[rectangle(west, -5, west + 2, -4)], [rectangle(west + 5, 3, west + 6, 4)]]
        puts.append(["put", f"f{number}", parts])
        questions += [["at", west + 5.5, 3.5], ["at", west + 4, 0], ["at", west + 1, -4.5]]
    questions += [["at", rng.uniform(-20, 20), rng.uniform(-15, 15)] for _ in range(150)]
    hair = [put("hair", 1.0, 0, nextafter(1.0, 2), 1), ["at", 1.0, 0.5], ["at", nextafter(1.0, 2), 0.5]]
    rng.shuffle(puts)
    return [{"script": small}, {"script": puts + questions}, {"script": hair}]


def replaced(seed: str) -> list[Case]:
    """Return fences that move, grow, shrink, disappear and come back.

    Lookups follow at the places of the old and the new fence.
    """
    rng = random_for(seed, "replaced")
    there, later, tiny = ["at", 0.9, 0.5], ["at", 50.9, 0.5], ["at", 0.599, 0.5]
    small = [
        put("a", 0, 0, 1, 1),
        there,
        ["at", 0.1, 0.5],
        put("a", 50, 0, 51, 1),
        there,
        later,
        ["remove", "a"],
        later,
    ]
    hole = ["put", "a", [[rectangle(0, 0, 1, 1), rectangle(0.8, 0.4, 0.95, 0.6)]]]
    holed = [put("a", 0, 0, 1, 1), there, hole, there, put("a", 0, 0, 1, 1), there]
    sizes = [put("a", 0, 0, 1, 1), put("a", -3, -3, 4, 4), there, ["at", 3, 3], put("a", 0.5, 0.4, 0.6, 0.6)]
    sizes += [
        ["at", 3, 3],
        there,
        tiny,
        ["remove", "b"],
        ["remove", "a"],
        ["remove", "a"],
        tiny,
        put("a", 0, 0, 1, 1),
    ]
    sizes += [put("a", 0, 0, 1, 1), there, put("b", 0, 0, 1, 1), there, ["remove", "a"], there]
    many, where = list[Call](), dict[str, tuple[float, float]]()
    for _ in range(120):
        fence = f"f{rng.randrange(12)}"
        if fence in where and rng.random() < 0.3:
            many += [["remove", fence], ["at", *where.pop(fence)]]
        else:
            side, west, south = 10 ** rng.uniform(-3, 0.3), rng.uniform(-9, 9), rng.uniform(-9, 9)
            many.append(put(fence, west, south, west + side, south + side))
            if fence in where:
                many.append(["at", *where[fence]])
            where[fence] = west + 0.9 * side, south + 0.5 * side
            many.append(["at", *where[fence]])
    return [{"script": small}, {"script": holed}, {"script": sizes}, {"script": many}]


def sizes(seed: str) -> list[Case]:
    """Return a stable of 6 m, two stripes, a continent and the world, with a limit of objects."""
    rng = random_for(seed, "sizes")
    lon, lat = rng.uniform(-20, 30), rng.uniform(10, 50)
    stable, stripe = put("stable", lon, lat, lon + 1e-4, lat + 5e-5), put("stripe", -179, lat, 179, lat + 1e-4)
    continent = put("continent", -25.5, -35.25, 60.75, 72.5)
    world = ["put", "world", [[[[-180, -90], [0, -90], [180, -90], [180, 90], [0, 90], [-180, 90], [-180, -90]]]]]
    inside = [["at", lon + 9e-5, lat + 4e-5], ["at", lon, lat], ["at", 170, lat], ["at", 179, lat + 1e-4]]
    others = [["at", 60.75, 72.5], ["at", -179.9, -89], ["at", 0, 90], ["at", -180, 0], ["at", 179.99, -90]]
    meridian = [put("meridian", lon, -85, lon + 1e-6, 85), ["at", lon + 1e-6, 85], ["at", lon + 2e-6, 0]]
    removed = [["remove", "world"], ["at", lon, lat], ["remove", "stripe"], ["at", lon, lat], ["at", 170, lat]]
    tiny = [put("tiny", lon, lat, lon + 1e-9, lat + 1e-9), ["at", lon + 1e-9, lat], ["at", lon, lat + 1e-8]]
    return [
        {"script": script, "most_objects": MOST_OBJECTS}
        for script in (
            [stable, inside[0], stripe, inside[2]],
            [stable, stripe, continent, world, *inside, *others, *meridian, *removed, *tiny],
        )
    ]


def few(seed: str) -> list[Case]:
    """Return a small script, then 400 fences of three sizes and 300 places, then 300 small fences of one city."""
    rng = random_for(seed, "few")
    row = [put(f"f{n}", n, 0, n + 0.75, 0.75) for n in range(12)]
    small = [*GONE, *row, *(["at", n + 0.5, 0.5] for n in range(3)), ["at", 5.9, 0.5], ["at", 40, 40]]
    puts = []
    for number in range(400):
        side = rng.choice([0.05, 0.3, 2]) * rng.uniform(0.5, 1)
        puts.append(_diamond(f"f{number}", rng.uniform(0, 10), rng.uniform(50, 60), side, side))
    places = [["at", rng.uniform(0, 10), rng.uniform(50, 60)] for _ in range(300)]
    lon, lat = rng.uniform(-100, 100), rng.uniform(-60, 60)
    city = [_diamond(f"f{n}", lon + rng.uniform(0, 0.5), lat + rng.uniform(0, 0.5), 0.01, 0.01) for n in range(300)]
    there = [["at", lon + rng.uniform(0, 0.5), lat + rng.uniform(0, 0.5)] for _ in range(100)]
    return [{"script": small}, {"script": puts + places}, {"script": city + there}]
