"""Cases of `contacts`: fixes [mover, time_ms, lon, lat] in files, with one group of animals for each check.

Animals of one group are far from those of the others. Their names begin with the group's letter.
"""

import math
import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

BEGIN_MS = 1_700_000_040_000  # the start of a window of 60 s
DEGREE_M = 111_195.0802335329
DISTANCE_M, WINDOW_S, GAP_S, LATENESS_S = 5.0, 60, 100, 300
NEAR, CELLS, PAUSES, LATE = "n", "c", "p", "l"
CELL = 1 / 8192  # degrees: animals meant to share a cell share it in every grid of 2^-k with cells of this size
Fix = list[Any]


def plays(seed: str) -> list[Case]:
    """Return a small play with pauses as long as the gap, and one with all groups."""
    return [_sessions(seed), _herd(seed)]


def _herd(seed: str) -> Case:
    """Return the play with all groups. Each file holds the fixes of its ten minutes, except for the group LATE."""
    rng = random_for(seed, "herd")
    fixes = [*_near(), *_cells(rng), *_pauses(rng)]
    files: list[list[Fix]] = [[] for _ in range(3)]
    for fix in fixes:
        files[(fix[1] - BEGIN_MS) // 600_000].append(fix)
    for number, late in enumerate(_late()):
        files[number] += late
    for file in files:
        rng.shuffle(file)
    return {"files": files, "arguments": [DISTANCE_M, WINDOW_S, GAP_S, LATENESS_S]}


def _sessions(seed: str) -> Case:
    rng = random_for(seed, "sessions")
    begins = _begins(rng, 30, [[0, 3, 4], [0, 4], [1, 2, 5, 8, 11]])
    fixes = [fix for number, each in enumerate(begins) for fix in _pair(f"{PAUSES}{2 * number}", number, each, rng)]
    return {"files": [fixes], "arguments": [8.0, 30, 60, 0]}


def _fix(mover: str, second: float, lon: float, lat: float) -> Fix:
    return [mover, BEGIN_MS + round(1000 * second), lon, lat]


def _moved(lon: float, lat: float, east_m: float, north_m: float) -> tuple[float, float]:
    """Return a place some metres away, by a good approximation for small distances; longitudes are below 180."""
    lat_there = lat + north_m / DEGREE_M
    lon_there = lon + east_m / (DEGREE_M * math.cos(math.radians(lat)))
    return (lon_there + 180) % 360 - 180, lat_there


def _near() -> list[Fix]:
    """Return fixes at 60 degrees north: just within and just beyond the distance, and at the edges of windows."""
    spots = [(17 + (100 * number + 0.1) * CELL, 60 + 0.3 * CELL) for number in range(6)]
    apart = [((4.9, 0), 10, 20), ((5.2, 0), 10, 20), ((0, 4.9), 0, 59.999), ((0, 5.2), 5, 5), ((0, 0), 59.999, 60)]
    fixes = []
    for number, ((east_m, north_m), second, other) in enumerate(apart):
        lon, lat = spots[number]
        fixes.append(_fix(f"{NEAR}{2 * number}", second, lon, lat))
        fixes.append(_fix(f"{NEAR}{2 * number + 1}", other, *_moved(lon, lat, east_m, north_m)))
    for second in (60, 61, 61, 119.999):
        fixes += [_fix(f"{NEAR}{name}", second, *spots[5]) for name in ("100", "99", "é")]
    border = 17 + 700 * CELL, 60 + 0.3 * CELL  # an animal crosses it, and meets the other one on both sides
    crossing = [("20", 20, -2), ("20", 40, 1), ("21", 30, 0.5)]
    fixes += [_fix(f"{NEAR}{name}", second, *_moved(*border, east_m, 0)) for name, second, east_m in crossing]
    return [*fixes, _fix(f"{NEAR}0", 300, *spots[0]), _fix(f"{NEAR}0", 301, *spots[0])]


def _cells(rng: random.Random) -> list[Fix]:
    """Return pairs across borders of cells, in any direction.

    The borders are whole degrees, the equator, 75 degrees north, and 180 degrees.
    """
    borders = [(17.0, 61.0), (0.0, 0.0), (33.0, 75.0), (-180.0, 10.0), (-180.0, -75.0), (-70.5, -33.25), (90.0, 88.5)]
    fixes, number = list[Fix](), 0
    for lon, lat in borders:
        for east_m, north_m in ((2.0, 0.0), (0.0, 2.0), (1.5, 1.5), (1.5, -1.5)):
            fixes += _both(f"{CELLS}{number}", f"{CELLS}{number}x", lon, lat, east_m, north_m, WINDOW_S * number)
            number += 1
    for _ in range(40):
        lon, lat = rng.uniform(-180, 179.9), rng.uniform(-80, 80)
        angle, distance_m = rng.uniform(0, 2 * math.pi), rng.choice([1.0, 3.0, 4.8, 4.97, 5.03, 5.2, 7.0, 12.0])
        east_m, north_m = distance_m * math.cos(angle) / 2, distance_m * math.sin(angle) / 2
        fixes += _both(f"{CELLS}{number}", f"{CELLS}{number}x", lon, lat, east_m, north_m, rng.randrange(1800))
        number += 1
    return fixes


def _both(name: str, other: str, lon: float, lat: float, east_m: float, north_m: float, second: float) -> list[Fix]:
    """Return two animals on both sides of a place."""
    return [
        _fix(name, second, *_moved(lon, lat, -east_m, -north_m)),
        _fix(other, second, *_moved(lon, lat, east_m, north_m)),
    ]


def _begins(rng: random.Random, window_s: int, windows: list[list[int]]) -> list[list[int]]:
    """Return times in these windows, in s."""
    return [[window_s * window + rng.randrange(window_s) for window in each] for each in windows]


def _pauses(rng: random.Random) -> list[Fix]:
    """Return pairs that meet in these windows of a minute, also across files.

    Between the meetings they stand far apart.
    """
    drawn = sorted(rng.sample(range(30), 12))
    begins = _begins(rng, WINDOW_S, [[0, 1, 2, 4, 7], [0, 3], [8, 10], [5, 6, 9, 10, 13, 15, 17], drawn])
    pairs = [_pair(f"{PAUSES}{2 * number}", number, each, rng) for number, each in enumerate(begins)]
    lon, lat = _spot(0)
    between = [_fix(f"{PAUSES}0", 190, lon, lat), _fix(f"{PAUSES}0x", 190, *_moved(lon, lat, 0, 50))]
    third = [_fix(f"{PAUSES}00", second, lon, lat) for second in (130, 250)]
    return [fix for pair in [*pairs, between, third] for fix in pair]


def _spot(number: int) -> tuple[float, float]:
    return 18 + (100 * number + 0.3) * CELL, 55 + 0.3 * CELL


def _pair(name: str, number: int, seconds: list[int], rng: random.Random) -> list[Fix]:
    """Return two animals a metre apart at these times, some of them twice."""
    lon, lat = _spot(number)
    fixes = []
    for second in [*seconds, *seconds[:1]]:
        moment = second + rng.choice([0, 0.25, 0.5])
        fixes += [_fix(name, moment, lon, lat), _fix(f"{name}x", moment, *_moved(lon, lat, 0, 1))]
    return fixes


def _late() -> list[list[Fix]]:
    """Return fixes of three files; the newest ones of the first two are at 599.999 s and 1199.999 s.

    The second file has late fixes at 310 s, at 299.999 s, which is just in time, and at 100 s, whose window is closed;
    the third file has the same fixes 600 s or 610 s later.
    """
    lon, lat = 19 + 0.3 * CELL, 56 + 0.3 * CELL
    near = _moved(lon, lat, 0, 1)
    files: list[list[Fix]] = [[], [], []]
    for number, (newest, *others) in enumerate(((599.999, 310, 299.999, 100), (1199.999, 920, 899.999, 700))):
        files[number].append(_fix(f"{LATE}{number}", newest, lon, lat))
        for second in others:
            files[number].append(_fix(f"{LATE}{number}-{second}", second, lon, lat))
            files[number + 1].append(_fix(f"{LATE}{number}-{second}x", second, *near))
    files[2] += [_fix(f"{LATE}{name}", 1000, *_moved(lon, lat, 0, metres)) for name, metres in (("y", 0), ("z", 2))]
    return files
