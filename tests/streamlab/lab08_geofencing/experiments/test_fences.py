"""Generated fences have the same hit rate for any number of fences, and three ways to match them agree."""

import pytest

from streamlab.lab08_geofencing.experiments.fences import Scan, Tree, places, positions, stars
from streamlab.lab08_geofencing.geo import Polygons


def covers(polygons: Polygons, lon: float, lat: float) -> bool:
    shapely = pytest.importorskip("shapely")
    return bool(shapely.intersects_xy(shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons]), lon, lat))


@pytest.mark.parametrize("count", [10, 1_000])
def test_a_place_is_in_the_same_number_of_fences_for_any_number_of_fences(count: int) -> None:
    pytest.importorskip("shapely")
    found = Tree(stars("a seed", count)).bulk(places("a seed", 2_000))

    assert sum(map(len, found)) / len(found) == pytest.approx(0.4, abs=0.2)


def test_scan_tree_and_bulk_find_the_same_fences() -> None:
    pytest.importorskip("shapely")
    fences, queries, scan = stars("a seed", 100), places("a seed", 300), Scan(covers)
    for fence, polygons in fences.items():
        scan.put(fence, polygons)
    tree = Tree(fences)

    assert [scan.at(*place) for place in queries] == [tree.at(*place) for place in queries] == tree.bulk(queries)


def test_positions_are_in_time_order_and_inside_the_area_of_the_fences() -> None:
    moves = positions("a seed", 500, movers=20, every_ms=7)

    assert [each.time_ms for each in moves] == [7 * number for number in range(500)]
    assert all(17 <= each.lon <= 18 and 59 <= each.lat <= 60 for each in moves)
    assert len({each.mover for each in moves}) == 20


def test_equal_seeds_give_equal_fences_and_places() -> None:
    assert stars(1, 5) == stars(1, 5) != stars(2, 5)
    assert places(1, 5) == places(1, 5) != places(2, 5)


@pytest.mark.parametrize("wrong", [(0, 16), (5, 2)])
def test_invalid_arguments_are_rejected(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected count >= 1"):
        stars("a seed", *wrong)
