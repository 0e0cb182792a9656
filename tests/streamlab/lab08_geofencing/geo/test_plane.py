"""`turn` against exact fractions, and `bounds`."""

import random
from fractions import Fraction
from math import inf, nan, nextafter

import pytest

from streamlab.lab08_geofencing.geo import Box, bounds, turn


def by_fractions(a, b, p):
    (ax, ay), (bx, by), (px, py) = ([Fraction(value) for value in place] for place in (a, b, p))
    difference = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    return (difference > 0) - (difference < 0)


@pytest.mark.parametrize(("p", "side"), [((2, 1), 1), ((2, -1), -1), ((2, 0), 0), ((9, 0), 0)])
def test_a_place_to_the_left_is_positive(p, side):
    assert turn((0, 0), (4, 0), p) == side


def test_a_place_one_rounding_step_off_the_line_has_a_side():
    rng = random.Random(8)
    for _ in range(3000):
        a, b = ((rng.uniform(-180, 180), rng.uniform(-90, 90)) for _ in range(2))
        share = rng.random()
        lon, lat = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        for p in ((lon, lat), (nextafter(lon, inf), lat), (lon, nextafter(lat, -inf))):
            assert turn(a, b, p) == by_fractions(a, b, p)


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e-160, 1e160, 1e300])
def test_tiny_and_huge_coordinates_are_exact(scale):
    rng = random.Random(str(scale))
    for _ in range(300):
        a, b, p = ((scale * rng.randint(0, 9), scale * rng.randint(0, 9)) for _ in range(3))
        assert turn(a, b, p) == by_fractions(a, b, p)


@pytest.mark.parametrize("value", [nan, inf])
def test_a_coordinate_that_is_not_a_finite_number_is_rejected(value):
    with pytest.raises(ValueError, match="finite numbers"):
        turn((0, 0), (4, 0), (value, 1))


def test_bounds_contain_every_part():
    triangle = (((0, 0), (4, 0), (2, 3), (0, 0)),)

    assert bounds((triangle, (((-7, 1), (-6, 1), (-6, 9), (-7, 1)),))) == Box(-7, 0, 4, 9)
    with pytest.raises(ValueError, match="at least one polygon"):
        bounds(())
