"""Measure Lab 8's indexes against GEOS's tree, one lookup at a time, and against Valkey.

    .venv/bin/python benchmarks/lab08_geofencing.py [--turns 9]

The reference's `FenceIndex` and shapely's STRtree (one query for each place, with GEOS's predicate) take turns on the
same places among 1,000 zones, in alternating order. Then `MoverIndex.near` and `GEOSEARCH BYRADIUS` of a real Valkey
server take turns on circles with at most 15 hits among 50,000 movers. The answers are compared in every turn; Valkey's
may differ as far as its grid and its larger Earth explain it. Prints the median of the turns' ratios with its 95 %
bootstrap interval and its goal; exits with 1 if a goal is missed.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import redis  # noqa: E402
import shapely  # noqa: E402
from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from autograder.stages.lab08_geofencing.geometry.cases import star  # noqa: E402
from streamlab.lab08_geofencing.geo import Position, metres  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402
from streamlab.services.catalogue import running  # noqa: E402

LAB = "lab08_geofencing"
GOAL = 1.0
WEST, SOUTH, SIDE = 17.0, 59.3, 1.0  # degrees
FENCES, CORNERS, RADII, PLACES = 1_000, 16, (0.005, 0.02), 20_000
MOVERS, CIRCLES, RADIUS_M, HITS_MAX = 50_000, 2_000, 700.0, 15
EXPLAINED_M = 0.25 + RADIUS_M * (6_372_797.560856 / 6_371_008.8 - 1)  # Valkey's grid, and its radius of the Earth

Turn = Callable[[], tuple[float, list[Any]]]


def main() -> int:
    """Measure and print; return 0 if all goals are reached, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    turns = parser.parse_args().turns
    vars(streamlab)["session"] = lambda *_, **__: None  # these tasks need no Spark
    tasks = load_cells(LAB, read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells, module_name="measured")
    assert not tasks.errors, [each.sentence() for each in tasks.errors]
    reached = [_fences(tasks, turns), _movers(tasks, turns)]
    return 0 if all(reached) else 1


def _places(rng: random.Random, count: int) -> list[tuple[float, float]]:
    return [(WEST + SIDE * rng.random(), SOUTH + SIDE * rng.random()) for _ in range(count)]


def _timed(ask: Callable[[float, float], Any], places: list[tuple[float, float]]) -> tuple[float, list[Any]]:
    began_s = time.perf_counter()
    found = [ask(*place) for place in places]
    return time.perf_counter() - began_s, found


def _fences(tasks: Stage, turns: int) -> bool:
    rng = random.Random("fences")
    rings = [star(rng, *place, rng.uniform(*RADII), CORNERS) for place in _places(rng, FENCES)]
    names = [f"f{number}" for number in range(FENCES)]
    index, tree = tasks.FenceIndex(), shapely.STRtree([shapely.Polygon(ring) for ring in rings])
    for name, ring in zip(names, rings, strict=True):
        index.put(name, ((tuple(map(tuple, ring)),),))

    def scalar(lon: float, lat: float) -> list[str]:
        return sorted(names[at] for at in tree.query(shapely.Point(lon, lat), predicate="intersects"))

    places = _places(rng, PLACES)
    sides = {"FenceIndex": lambda: _timed(index.at, places), "STRtree": lambda: _timed(scalar, places)}
    rates = _rates(sides, PLACES, turns, _same_fences)
    return _print_ratio(f"{FENCES:,} fences, lookups/s", rates)


def _same_fences(answers: dict[str, list[Any]]) -> None:
    assert answers["FenceIndex"] == answers["STRtree"], "different fences"


def _movers(tasks: Stage, turns: int) -> bool:
    rng, index = random.Random("movers"), tasks.MoverIndex()
    movers = {f"m{number}": place for number, place in enumerate(_places(rng, MOVERS))}
    for offset, (name, place) in enumerate(movers.items()):
        index.put(Position(name, 0, *place, offset))
    all_places = _places(rng, 2 * CIRCLES)
    places = [place for place in all_places if len(index.near(*place, RADIUS_M)) <= HITS_MAX][:CIRCLES]
    with running("redis") as server:
        host, port = server.address.split(":")
        client = redis.Redis(host=host, port=int(port), decode_responses=True)
        client.geoadd("movers", [part for name, place in movers.items() for part in (*place, name)])

        def geosearch(lon: float, lat: float) -> list[str]:
            return sorted(client.geosearch("movers", longitude=lon, latitude=lat, radius=RADIUS_M, unit="m"))

        sides = {
            "MoverIndex": lambda: _timed(lambda *place: index.near(*place, RADIUS_M), places),
            "Valkey": lambda: _timed(geosearch, places),
        }
        rates = _rates(sides, len(places), turns, lambda answers: _same_movers(movers, places, answers))
        client.close()
    hits = mean(len(index.near(*place, RADIUS_M)) for place in places)
    return _print_ratio(f"{MOVERS:,} movers, circles/s with {hits:.1f} hits each", rates)


def _same_movers(movers: dict[str, Any], places: list[tuple[float, float]], answers: dict[str, list[Any]]) -> None:
    for place, ours, theirs in zip(places, answers["MoverIndex"], answers["Valkey"], strict=True):
        for name in set(ours) ^ set(theirs):
            assert abs(metres(*place, *movers[name]) - RADIUS_M) <= EXPLAINED_M, f"{name} at {place}"


def _rates(
    sides: dict[str, Turn], units: int, turns: int, compare: Callable[[dict[str, list[Any]]], None]
) -> dict[str, list[float]]:
    """Return the units/s of each side in each turn; the first turn warms up and does not count."""
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(-1, turns):
        answers = {}
        for name in list(sides) if turn % 2 else reversed(sides):
            took_s, answers[name] = sides[name]()
            if turn >= 0:
                rates[name].append(units / took_s)
        compare(answers)
    return rates


def _print_ratio(title: str, rates: dict[str, list[float]]) -> bool:
    """Print the ratio of the first side to the second one; return whether it reaches the goal."""
    (ours, our_rates), (theirs, their_rates) = rates.items()
    ratios = [our / their for our, their in zip(our_rates, their_rates, strict=True)]
    low, high = interval(ratios)
    print(f"{title}: {ours} {median(our_rates):,.0f}, {theirs} {median(their_rates):,.0f}")
    print(f"  {ours} / {theirs} {median(ratios):.2f} (95 % {low:.2f} to {high:.2f}), goal {GOAL}")
    return median(ratios) >= GOAL


if __name__ == "__main__":
    sys.exit(main())
