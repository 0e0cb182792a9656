"""Metres, boxes around circles, and circles as fences."""

import math
import random

import pytest
import shapely

from streamlab.lab08_geofencing.geo import EARTH_M, around, bounds, circle, metres

NAN = math.nan


def test_metres_follow_the_great_circle():
    assert metres(17.6389, 59.8586, 18.0686, 59.3293) == pytest.approx(63629.77, abs=0.01)
    assert metres(0, 0, 0, 1) == 111195.0802335329
    assert metres(-179.5, 0, 179.5, 0) == pytest.approx(metres(0, 0, 1, 0), rel=1e-12)
    assert metres(0, 89, 180, 89) == pytest.approx(metres(0, 0, 0, 2), rel=1e-12)
    assert metres(0, 0, 180, 0) == pytest.approx(math.pi * EARTH_M)


def test_metres_of_nan_are_nan():
    assert math.isnan(metres(0, 0, NAN, 0))


def test_a_circle_has_one_box_or_two():
    (box,) = around(17.6, 59.8, 1000)
    assert box == pytest.approx((17.582122, 59.791007, 17.617878, 59.808993), abs=1e-6)
    assert [(each.west, each.east) == (-180, 180) for each in around(179.99, -18, 5000)] == [False, False]
    assert [(each.west, each.east) for each in around(0, 89.99, 5000)] == [(-180, 180)]
    assert len(around(-180, 0, 0)) == 2  # a mover at 179.999… is as near as one at -180


@pytest.mark.parametrize("near_the_pole", [False, True])
def test_no_place_inside_a_circle_is_outside_its_boxes(near_the_pole):
    rng = random.Random(f"circles {near_the_pole}")
    for _ in range(4000):
        polar = math.copysign(90 - 10 ** rng.uniform(-5, 1), rng.random() - 0.5)
        lat = polar if near_the_pole else rng.uniform(-89, 89)
        lon, radius_m = rng.uniform(-180, 180), 10 ** rng.uniform(0, 7)
        boxes = around(lon, lat, radius_m)
        for _ in range(6):
            there = place_at(lon, lat, rng.uniform(0, 2 * math.pi), radius_m * rng.choice([1, rng.random()]))
            if metres(lon, lat, *there) <= radius_m:
                assert any(b.west <= there[0] <= b.east and b.south <= there[1] <= b.north for b in boxes)


def place_at(lon, lat, bearing, distance_m):
    angle, here = distance_m / EARTH_M, math.radians(lat)
    sine = math.sin(here) * math.cos(angle) + math.cos(here) * math.sin(angle) * math.cos(bearing)
    there = math.asin(max(-1.0, min(1.0, sine)))
    sideways, ahead = math.sin(bearing) * math.sin(angle) * math.cos(here), math.cos(angle) - math.sin(here) * sine
    east = math.atan2(sideways, ahead)
    return (lon + math.degrees(east) + 540) % 360 - 180, math.degrees(there)


@pytest.mark.parametrize("call", [(0, 91, 5), (181, 0, 5), (0, 0, -1), (0, 0, NAN), (NAN, 0, 1)])
def test_an_invalid_circle_is_rejected(call):
    with pytest.raises(ValueError, match="around: expected"):
        around(*call)
    with pytest.raises(ValueError, match="circle: expected"):
        circle(*call)


@pytest.mark.parametrize("lon", [17.6, 179.99, -180, 180, -179.7])
def test_a_circle_is_a_valid_fence_at_any_longitude(lon):
    parts = circle(lon, 59.8, 40_000)
    fence = shapely.MultiPolygon([(part[0], part[1:]) for part in parts])

    assert len(parts) == (1 if lon == 17.6 else 2)
    assert fence.is_valid
    assert fence.area == pytest.approx(shapely.Polygon(circle(17.6, 59.8, 40_000)[0][0]).area)
    assert all(shell[0] == shell[-1] and -180 <= place[0] <= 180 for shell, *_ in parts for place in shell)
    corners = {place for shell, *_ in parts for place in shell if abs(place[0]) != 180}
    distances = sorted(metres(lon, 59.8, *corner) for corner in corners)
    assert distances[0] > 39_500
    assert distances[-1] == pytest.approx(40_000)


def test_the_bounds_of_a_circle_are_its_box():
    assert bounds(circle(17.6, 59.8, 1000)) == pytest.approx((17.582122, 59.791007, 17.617878, 59.808993), abs=1e-5)
    assert [len(ring) for (ring,) in circle(0, 0, 100, corners=3)] == [4]


@pytest.mark.parametrize("call", [(0, 0, 0), (0, 89, 200_000), (0, 0, 5, 2)])
def test_a_circle_without_an_interior_is_rejected(call):
    with pytest.raises(ValueError, match="circle: expected"):
        circle(*call)
