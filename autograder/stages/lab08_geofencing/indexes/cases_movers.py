"""Seeded scripts for `MoverIndex`, smallest first. They avoid places next to a circle, where rounding decides."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab08_geofencing.geometry.cases import rectangle
from streamlab.lab08_geofencing.geo import metres

Call = list[Any]
MARGIN_M = 0.01  # around a circle; the oracle requires 1 mm


def _put(mover: str, time_ms: int, lon: float, lat: float, offset: int = 0) -> Call:
    return ["put", mover, time_ms, lon, lat, offset]


def newest(seed: str) -> list[Case]:
    """Return positions that come late, come twice, or have equal times, and questions at old and new places."""
    rng = random_for(seed, "newest")
    small = [_put("a", 10, 0.5, 0.5, 0), _put("a", 5, 0.7, 0.7, 1), ["near", 0.5, 0.5, 10], ["near", 0.7, 0.7, 10]]
    equal = [_put("a", 10, 0.5, 0.5, 3), _put("a", 10, 0.5, 0.5, 3), _put("a", 10, 0.7, 0.7, 4), ["near", 0.7, 0.7, 10]]
    equal += [["near", 0.5, 0.5, 10], _put("b", 0, 0.5, 0.5, 5), _put("b", 1, 0.5, 0.5, 6), ["near", 0.5, 0.5, 10]]
    equal += [_put("c", 2**40, 0.5, 0.5, 7), _put("c", 2**40 - 1, 0.2, 0.2, 8), ["near", 0.2, 0.2, 10]]
    lower = [_put("a", 10, 0.5, 0.5, 3), _put("a", 10, 0.7, 0.7, 2), ["near", 0.5, 0.5, 10]]
    many, places = list[Call](), [(0.1 * n, -0.05 * n) for n in range(6)]
    for offset in range(300):
        place = rng.choice(places)
        many += [_put(f"m{rng.randrange(8)}", rng.randrange(60), *place, offset), ["near", *place, 10]]
    return [
        {"script": small},
        {"script": lower},
        {"script": equal},
        {"script": many + [["near", *place, 10] for place in places]},
    ]


def inside(seed: str) -> list[Case]:
    """Return movers in and around fences of several sizes and parts, and fences without movers."""
    rng = random_for(seed, "inside")
    square = [[rectangle(0, 0, 4, 4)]]
    small = [_put("b", 1, 3, 2), _put("a", 1, 4, 4), _put("c", 1, 1, 2), _put("d", 1, 5, 2), ["within", square]]
    edges = [_put(f"e{lon} {lat}", 1, lon, lat) for lon in (0, 2, 4) for lat in (-1, 0, 4, 4.1)]
    puts = [_put(f"m{n}", n, rng.uniform(-180, 179.99), rng.uniform(-90, 90)) for n in range(60)]
    puts += [_put(f"n{n}", n, rng.uniform(17, 18), rng.uniform(59, 60)) for n in range(140)]
    questions = []
    for _ in range(12):
        side, lon, lat = 10 ** rng.uniform(-2, 0.5), rng.uniform(17, 18), rng.uniform(59, 60)
        questions.append(["within", [[rectangle(lon - side, lat - side / 2, lon + side, lat + side / 2)]]])
    parts = [[rectangle(17.1, 59.1, 17.2, 59.3)], [rectangle(17.5, 59.5, 17.9, 59.6)]]
    world = [[[[-180, -90], [0, -90], [180, -90], [180, 90], [0, 90], [-180, 90], [-180, -90]]]]
    wide = [["within", fence] for fence in (parts, world, [[rectangle(-180, 59.4, -1, 59.6)]], square)]
    return [{"script": small}, {"script": [*edges, ["within", square]]}, {"script": puts + questions + wide}]


def _circle(script: list[Call], lon: float, lat: float, radius_m: float) -> Call | None:
    """Return the question, or None if a mover is next to the circle."""
    movers = [call for call in script if call[0] == "put"]
    too_close = (abs(metres(lon, lat, *put[3:5]) - radius_m) < MARGIN_M for put in movers if [lon, lat] != put[3:5])
    return None if any(too_close) else ["near", lon, lat, radius_m]


CENTRES = [(0.0, 0.0), (17.6, 60.0), (-70.0, -75.0), (179.999, -18.0), (-180.0, 66.0), (30.0, 89.99), (100.0, -90.0)]


def metric(seed: str) -> list[Case]:
    """Return circles at the equator, far north and south, on both sides of the antimeridian and over the poles.

    In the second case, `metres` gives twice the distance.
    """
    rng = random_for(seed, "metric")
    pair = [_put("a", 1, 179.999, 0), _put("b", 1, -179.999, 0), _put("c", 1, 17.01, 60), _put("d", 1, 17, 60.01)]
    small = [
        *pair,
        ["near", 179.999, 0, 300],
        ["near", -179.999, 0, 200],
        ["near", 17, 60, 800],
        ["near", 17, 60, 1200],
    ]
    twice = [_put("a", 1, 0, 0.0004), _put("b", 1, 0, 0.0008), ["near", 0, 0, 100]]
    script = list[Call]()
    for number, (lon, lat) in enumerate(CENTRES):
        script.append(_put(f"at {number}", 1, lon, lat))
        for other in range(25):
            script.append(_put(f"m{number}.{other}", 1, *_nearby(rng, lon, lat)))
    radii = [0, 60.0, 900.0, 4000.0, 30_000.0, 2_000_000.0, 9_000_000.0, 20_000_000.0]
    circles = [_circle(script, lon, lat, radius_m) for lon, lat in CENTRES for radius_m in radii]
    opposite = [_put("antipode", 1, -179.0, 0.5), ["near", 1.0, -0.5, 20_000_000.0], ["near", 1.0, -0.5, 20_020_000.0]]
    nobody = [["near", 0, 0, 0]]
    return [
        {"script": small},
        {"script": twice, "times": 2},
        {"script": script + [each for each in circles if each]},
        {"script": opposite + nobody},
    ]


def _nearby(rng: random.Random, lon: float, lat: float) -> tuple[float, float]:
    """Return a place at a random distance of about 10 m to 100 km."""
    far = 10 ** rng.uniform(-4, 0)
    north = max(-89.9999, min(89.9999, lat + far * rng.uniform(-1, 1)))
    return (lon + 3 * far * rng.uniform(-1, 1) + 180) % 360 - 180, north


def since(seed: str) -> list[Case]:
    """Return positions before, at and after `since_ms`, which may be 0 or None.

    All movers lie in the eastern half of the fence.
    """
    rng = random_for(seed, "since")
    square = [[rectangle(0, 0, 4, 4)]]
    puts = [_put("a", 10, 3, 1), _put("b", 20, 3, 2), _put("c", 0, 3, 3)]
    small = [*puts, ["within", square, 20], ["within", square, 10], ["within", square]]
    small += [["within", square, time_ms] for time_ms in (0, 21, 11, None)]
    near = [["near", 3, 2, 200_000, time_ms] for time_ms in (20, 10, 0, 21, 19, None)]
    stands = [_put("a", 10, 3, 2, 0), _put("a", 20, 3, 2, 1), ["near", 3, 2, 10, 20]]
    many = [_put(f"m{n}", rng.randrange(30), 2 + 2 * rng.random(), 4 * rng.random()) for n in range(60)]
    again = [_put(f"m{n}", 40, 3, 3) for n in rng.sample(range(60), 10)]
    asked = [["within", square, time_ms] for time_ms in (5, 15, 29, 40, 41)]
    return [{"script": small}, {"script": stands}, {"script": [*puts, *near]}, {"script": many + again + asked}]


def few(seed: str) -> list[Case]:
    """Return a small script, then 2,000 movers in three degrees and questions about small places at 60° N."""
    rng = random_for(seed, "few")
    row = [_put(f"m{n}", 1, float(n), 60.0) for n in range(12)]
    small = [*row, ["within", [[rectangle(2.5, 59.5, 4.5, 60.5)]]], ["near", 7, 60, 1000], ["near", 7.5, 60, 1000]]
    script = [_put(f"m{n}", 1, rng.uniform(16, 19), rng.uniform(59, 61)) for n in range(2000)]
    questions = list[Call | None]()
    for _ in range(15):
        lon, lat, side = rng.uniform(16, 19), rng.uniform(59, 61), rng.uniform(0.02, 0.5)
        questions.append(["within", [[rectangle(lon - side, lat - side / 2, lon + side, lat + side / 2)]]])
        questions.append(_circle(script, lon, lat, rng.uniform(1000, 9000)))
    return [{"script": small}, {"script": script + [each for each in questions if each]}]
