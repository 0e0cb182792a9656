"""The oracles of the indexes: distances against the given `metres`, and `near` against Valkey."""

import random
from bisect import bisect_left
from math import pi
from typing import Any

import pytest

from autograder.stages.lab08_geofencing.indexes import oracle
from autograder.stages.lab08_geofencing.indexes.workload import workload
from streamlab.lab08_geofencing.geo import EARTH_M, metres
from streamlab.services.catalogue import running

redis = pytest.importorskip("redis")

VALKEY_EARTH_M = 6_372_797.560856
GRID_M = 0.25  # Valkey keeps 52 bits of a place: off by up to 0.21 m
MOVERS, CIRCLES, RADIUS_M = 20_000, 1_000, 3_000
WEST, SOUTH, EAST, NORTH = 16.0, 59.0, 19.0, 61.0


def test_both_formulas_give_the_same_distance() -> None:
    rng = random.Random(8)
    for _ in range(5_000):
        places = [rng.uniform(-180, 180), rng.uniform(-90, 90), rng.uniform(-180, 180), rng.uniform(-90, 90)]
        assert oracle.distance(*places) == pytest.approx(metres(*places), abs=1e-3), places


def test_distances_agree_with_the_golden_trace() -> None:
    assert oracle.distance(17.6389, 59.8586, 18.0686, 59.3293) == pytest.approx(63_629.77, abs=0.01)
    assert oracle.distance(0, 0, 180, 0) == pytest.approx(pi * EARTH_M)
    assert oracle.distance(17, 90, 170, 90) == pytest.approx(0, abs=1e-6)


def test_a_place_too_close_to_a_circle_is_rejected_as_a_case() -> None:
    script = [["put", "m", 0, 0.0, 1.0, 0], ["near", 0.0, 0.0, 111195.0802335329]]

    with pytest.raises(ValueError, match="too close"):
        oracle.answers({"script": script})


def test_only_the_newest_position_counts_and_the_eastern_half_is_inside() -> None:
    square: Any = [[[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]]
    script = [
        ["put", "m", 9, 3.0, 1.0, 0],
        ["put", "m", 9, 1.0, 1.0, 1],
        ["put", "n", 0, 1.0, 1.0, 2],
        ["within", square],
    ]

    assert oracle.answers({"script": script}) == [True, False, True, ["m"]]


def test_the_workload_has_seven_thousand_lines_with_five_thousand_lookups() -> None:
    content, places = workload("tests")
    lines = content.decode().splitlines()

    assert places == sum(line.startswith("at ") for line in lines) == 5_000
    assert len(lines) == 7_000


def test_valkey_agrees_on_a_thousand_circles() -> None:
    """Except for movers so near to the circle that Valkey's grid and its larger Earth explain the difference."""
    rng = random.Random("valkey")
    movers = {f"m{n}": (rng.uniform(WEST, EAST), rng.uniform(SOUTH, NORTH)) for n in range(MOVERS)}
    by_lat = sorted((lat, lon, name) for name, (lon, lat) in movers.items())
    explained_m = GRID_M + RADIUS_M * (VALKEY_EARTH_M / EARTH_M - 1)
    different = 0
    with running("redis") as server:
        client = redis.Redis(port=int(server.address.split(":")[1]), decode_responses=True)
        client.geoadd("movers", [part for name, place in movers.items() for part in (*place, name)])
        for _ in range(CIRCLES):
            lon, lat = rng.uniform(WEST, EAST), rng.uniform(SOUTH, NORTH)
            found = set(client.geosearch("movers", longitude=lon, latitude=lat, radius=RADIUS_M, unit="m"))
            band = by_lat[bisect_left(by_lat, (lat - 0.03,)) : bisect_left(by_lat, (lat + 0.03,))]
            distances = {name: oracle.distance(lon, lat, x, y) for y, x, name in band if abs(x - lon) < 0.1}
            ours = {name for name, distance_m in distances.items() if distance_m <= RADIUS_M}
            different += found != ours
            assert all(abs(distances[name] - RADIUS_M) <= explained_m for name in found ^ ours)
        client.close()

    assert 0 < different < 60  # 24 were measured
