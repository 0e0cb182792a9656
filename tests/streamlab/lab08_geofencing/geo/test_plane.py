"""`turn` against exact fractions, `bounds`, and cells for animals that are near each other."""

import random
from fractions import Fraction
from math import inf, nan, nextafter
from typing import NamedTuple

import pytest

from streamlab.lab08_geofencing.geo import Box, bounds, cell_of, pairs_in_cell, turn


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


class Row(NamedTuple):
    mover: str
    lon: float
    lat: float


class Cell(NamedTuple):
    x: int
    y: int


def test_a_cell_is_over_two_distances_high() -> None:
    for distance_m in (0.5, 5.0, 60.0, 5000.0):
        degree = 1 / 111_195 * 2.2 * distance_m
        assert cell_of(0.0, 0.0, distance_m) == (0, 0) == cell_of(degree, degree, distance_m)
        assert cell_of(0.0, 2.1 * degree, distance_m) != (0, 0)


def test_only_the_cell_of_the_first_animal_reports_a_pair() -> None:
    nearby = [Row("b", 0.00001, 10.00006), Row("a", -0.00001, 10.00006), Row("a", -0.00001, 10.00006)]
    own, other = (Cell(*cell_of(each.lon, each.lat, 5.0)) for each in (nearby[1], nearby[0]))

    assert pairs_in_cell(own, nearby, 5.0) == [("a", "b")]
    assert pairs_in_cell(other, nearby, 5.0) == []
    assert pairs_in_cell(own, nearby, 1.0) == []
