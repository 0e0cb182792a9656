"""The oracles of `contains` and `read_record` against golden traces, and against GEOS on real fences."""

import json
import random
from math import inf, nextafter
from typing import Any

import pytest
import shapely

from autograder.stages.lab08_geofencing.geometry import cases_records, oracle
from autograder.stages.lab08_geofencing.geometry.cases import HOLED, TRIANGLE, rectangle
from streamlab.lab08_geofencing.fences import REJECTED_COUNTRIES, as_geojson, countries, districts

PLACES, AT_ONCE = 5_000, 50  # of each sample, of one fence; GEOS is exact, so both agree on all of them


def inside(polygons: Any, *places: tuple[float, float]) -> list[bool]:
    """Return whether each place is inside, by the oracle."""
    return oracle.inside({"polygons": polygons, "places": places})


def test_inside_agrees_with_the_golden_trace() -> None:
    fence = [HOLED, [rectangle(10, 0, 12, 2)]]

    assert inside(fence, (1, 2), (3, 3), (4, 4), (0.5, 0.5), (11, 1)) == [True] * 5
    assert inside(fence, (2, 2), (1, 11), (4.0000001, 4)) == [False] * 3


def test_rounding_does_not_change_an_answer() -> None:
    places = (10.611208009110612, 59.6632213576283), (10.112929759061947, 59.291380160625366)

    assert inside([[TRIANGLE]], *places) == [True, False]


@pytest.mark.parametrize("name", ["districts", "countries"])
def test_geos_agrees_on_real_fences(name: str) -> None:
    fences = {"districts": districts, "countries": countries}[name]()
    rng, found = random.Random(name), 0
    valid = [polygons for each, polygons in sorted(fences.items()) if each not in REJECTED_COUNTRIES]
    for polygons in rng.choices(valid, k=PLACES // AT_ONCE):
        places = [place_near(rng, polygons) for _ in range(AT_ONCE)]
        peer = shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons])
        answers = inside(polygons, *places)
        assert answers == [bool(peer.covers(shapely.Point(place))) for place in places], places
        found += sum(answers)

    assert 0.2 < found / PLACES < 0.8


def place_near(rng: random.Random, polygons: Any) -> tuple[float, float]:
    """Return a corner, a place on an edge up to rounding, one a rounding step next to it, or one in the box."""
    ring = rng.choice(rng.choice(polygons))
    at, kind = rng.randrange(len(ring) - 1), rng.randrange(4)
    (ax, ay), (bx, by) = ring[at], ring[at + 1]
    if kind == 0:
        return float(ax), float(ay)
    if kind == 3:
        return rng.uniform(min(ax, bx), max(ax, bx)) + 1e-3 * rng.random(), rng.uniform(min(ay, by), max(ay, by))
    share = rng.random()
    lon, lat = ax + share * (bx - ax), ay + share * (by - ay)
    return (lon, lat) if kind == 1 else (nextafter(lon, rng.choice([-inf, inf])), lat)


def test_a_corner_is_inside_several_districts() -> None:
    """Neighbours share the corner, and the boundary is inside."""
    corners = list(districts()["112-De Lorimier"][0][0])

    answers = [inside(polygons, *corners) for polygons in districts().values()]
    found = [sum(of_corner) for of_corner in zip(*answers, strict=True)]

    assert min(found) >= 1
    assert max(found) > 1


def test_the_example_record_is_read() -> None:
    case = {"topic": "positions", "key": "m", "value": '{"mover": "m", "lon": 180, "lat": 59.5}'}

    assert oracle.record({**case, "time_ms": 5, "offset": 7}) == ["Position", ["m", 5, -180.0, 59.5, 7]]


@pytest.mark.parametrize("seed", ["public", "another"])
def test_geos_agrees_on_which_fences_are_valid(seed: str) -> None:
    cases = [*cases_records.fences(seed), *cases_records.invalid_fences(seed)]
    judged = 0
    for case in cases:
        try:
            geometry = shapely.from_geojson(case["value"] or "")
        except shapely.errors.ShapelyError:
            continue
        if geometry.geom_type in ("Polygon", "MultiPolygon") and not geometry.is_empty and in_range(geometry):
            judged += 1
            assert geometry.is_valid == (oracle.record({**case, "key": "f"}) is not None), case["value"]

    assert judged > 20


def in_range(geometry: Any) -> bool:
    """Return whether all coordinates are in range; otherwise the record is invalid for that reason already."""
    west, south, east, north = geometry.bounds
    return bool(west >= -180 and south >= -90 and east <= 180 and north <= 90)


def test_the_countries_that_are_invalid_fences_are_rejected() -> None:
    """Antarctica has an edge of 360 degrees along the pole."""
    small = {"North Korea", "Somaliland", "Antarctica", "Lesotho", "Fiji", "Sweden", "Uruguay"}
    found = {name for name in small if oracle.record(as_record(countries()[name])) is None}

    assert found == set(REJECTED_COUNTRIES)


def as_record(polygons: Any) -> dict[str, Any]:
    """Return a record of the fence topic."""
    value = as_geojson(polygons)
    assert json.loads(value)["type"] in ("Polygon", "MultiPolygon")
    return {"topic": "fences", "key": "f", "value": value, "time_ms": 0, "offset": 0}
