"""Cells for animals that are near each other, and the one cell that reports a pair."""

from typing import NamedTuple

from streamlab.lab08_geofencing.geo import cell_of, pairs_in_cell


class Row(NamedTuple):
    """A fix that was sent to a cell."""

    mover: str
    lon: float
    lat: float


class Cell(NamedTuple):
    """A cell as Spark hands it over."""

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
