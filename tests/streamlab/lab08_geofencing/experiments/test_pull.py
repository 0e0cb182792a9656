"""Equal queries to a MoverIndex and to Valkey."""

import os

import pytest

from streamlab.lab08_geofencing.experiments.pull import MOVERS, differences, filled, near, near_in_valkey, pull_rates
from streamlab.lab08_geofencing.geo import Polygons, Position, metres
from streamlab.services import running

if os.environ.get("CI") != "true":
    pytest.importorskip("redis", reason="Valkey and its client are in requirements-databases.lock")


class AllPairs:
    def __init__(self) -> None:
        self._places: dict[str, tuple[float, float]] = {}

    def put(self, position: Position) -> bool:
        self._places[position.mover] = position.lon, position.lat
        return True

    def near(self, lon: float, lat: float, radius_m: float) -> list[str]:
        return sorted(mover for mover, place in self._places.items() if metres(lon, lat, *place) <= radius_m)

    def within(self, polygons: Polygons) -> list[str]:
        (((west, south), (east, _), *_),) = polygons[0]
        return [mover for mover, (lon, lat) in self._places.items() if west <= lon <= east and south <= lat]


def test_both_find_the_same_movers_except_near_the_edge_of_a_circle() -> None:
    with running("redis") as valkey:
        index, client = filled(AllPairs, valkey.address)
        place = (17.5, 59.5)

        assert set(near(index, place)) ^ set(near_in_valkey(client, place)) == set()
        assert all(abs(each.beyond_m) < 2 for each in differences(index, client, questions=5))
        rates = pull_rates(index, client, questions=3)
        assert client.zcard("movers") <= MOVERS
    assert [each.answered_percent for each in rates if "latitude first" in each.way] == [0.0]
    assert rates[0].mean_movers == rates[1].mean_movers > 0
