"""Equal seeds give equal herds; the collars have the documented faults; contacts are compared with the truth."""

import json
import math
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from streamlab.lab08_geofencing.experiments.herd import FILES, grazing, true_meetings
from streamlab.lab08_geofencing.herd import Herd, Pasture, herd


@pytest.fixture(scope="module")
def cows() -> Herd:
    return herd("pasture")


def test_equal_seeds_give_equal_herds(cows: Herd) -> None:
    assert herd("pasture") == cows
    assert herd("meadow", minutes=2) != herd("pasture", minutes=2)


def test_the_herd_has_its_documented_fixes_late_fixes_and_duplicates(cows: Herd) -> None:
    delays_s = [(fix.arrival_ms - fix.time_ms) / 1000 for fix in cows.fixes]
    repeats = Counter((fix.mover, fix.time_ms) for fix in cows.fixes)

    assert len(cows.fixes) == 2659
    assert sum(delay_s > 10 for delay_s in delays_s) == 69
    assert round(max(delays_s)) == 202
    assert sum(count - 1 for count in repeats.values()) == 21


def test_fixes_are_in_order_of_arrival_and_include_their_mover(cows: Herd) -> None:
    assert [fix.arrival_ms for fix in cows.fixes] == sorted(fix.arrival_ms for fix in cows.fixes)
    assert all(json.loads(fix.value)["mover"] == fix.mover for fix in cows.fixes)


def test_every_step_has_the_true_place_of_every_animal(cows: Herd) -> None:
    assert set(cows.truth) == {(step, animal) for step in range(180) for animal in range(20)}


def test_a_fix_far_from_the_truth_has_a_high_hdop(cows: Herd) -> None:
    for fix in cows.fixes:
        seen, pasture = json.loads(fix.value), cows.pasture
        step = (fix.time_ms - pasture.start_ms) // (1000 * pasture.step_s)
        lon, lat = pasture.place(*cows.truth[step, int(fix.mover[4:])])
        away = math.hypot((seen["lon"] - lon) * 55_900, (seen["lat"] - lat) * 111_195)
        assert away < 15 or seen["hdop"] > 5


def test_a_battery_runs_low_and_then_the_collar_stops_sending() -> None:
    long = herd("day", animals=3, minutes=600)
    last_ms = {fix.mover: fix.time_ms for fix in long.fixes}
    volts = [json.loads(fix.value)["battery_v"] for fix in long.fixes]

    assert max(last_ms.values()) < long.pasture.time_ms(1799)
    assert min(volts) < 3.36


def test_places_are_metres_from_the_centre() -> None:
    assert Pasture(lon=10.0, lat=60.0).place(55.59754, 111.19508) == pytest.approx((10.001, 60.001))


@pytest.mark.parametrize("wrong", [{"animals": 0}, {"minutes": 0}, {"noise_m": -1}, {"noise_m": math.nan}])
def test_invalid_arguments_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected animals >= 1"):
        herd("pasture", **wrong)


def test_the_pasture_is_set_and_moved_and_a_fence_follows_the_calf() -> None:
    sent = [each for file in grazing().files for each in file if each.topic == "fences"]
    times_s = [(each.time_ms - Pasture().start_ms) // 1000 for each in sent if each.key == b"near the calf"]

    assert [(each.time_ms - Pasture().start_ms) // 1000 for each in sent if each.key == b"pasture"] == [0, 601]
    assert len(times_s) == 10
    assert all(later - earlier >= 120 for earlier, later in pairwise(times_s))


def test_only_precise_fixes_are_sent_and_drawn() -> None:
    made = grazing()
    sent = [each for file in made.files for each in file if each.topic == "positions"]

    assert all(json.loads(each.value or "")["hdop"] <= 5 for each in sent)
    assert {(each.key or b"").decode() for each in sent} == set(made.tracks)
    assert all(track == sorted(track) for track in made.tracks.values())


def test_each_drawn_animal_is_in_the_herd() -> None:
    assert {"cow-00", "cow-03", "cow-05"} <= set(grazing().tracks)


def test_animals_meet_if_they_are_close_at_any_moment_of_a_window() -> None:
    truth = {(0, 0): (0.0, 0.0), (0, 1): (3.0, 2.0), (1, 0): (0.0, 0.0), (1, 1): (4.0, 1.0), (0, 2): (9.0, 9.0)}
    cows = Herd(truth | {(1, 2): (9.0, 9.0)}, [], Pasture(start_ms=0, step_s=60))

    assert true_meetings(cows, 60) == {("cow-00", "cow-01", 0)}
    assert true_meetings(cows, 60, distance_m=4.2) == {("cow-00", "cow-01", 0), ("cow-00", "cow-01", 60_000)}


def test_noise_does_not_change_the_true_paths_of_a_herd() -> None:
    assert herd("pasture", noise_m=0.0, minutes=5).truth == herd("pasture", noise_m=5.0, minutes=5).truth


def test_no_file_of_arrivals_is_empty() -> None:
    assert len(grazing().files) == FILES
    assert all(grazing().files)
