"""What the farmer and the collars send, and how contacts are compared with the truth."""

import json
from itertools import pairwise

from streamlab.experiments import geo_herd
from streamlab.experiments.geo_herd import grazing, true_meetings
from streamlab.sources.herd import Herd, Pasture, herd


def test_the_pasture_is_set_and_moved_and_the_calf_is_followed() -> None:
    sent = [each for file in grazing().files for each in file if each.topic == "fences"]
    times_s = [(each.time_ms - Pasture().start_ms) // 1000 for each in sent if each.key == b"near the calf"]

    assert [(each.time_ms - Pasture().start_ms) // 1000 for each in sent if each.key == b"pasture"] == [0, 601]
    assert len(times_s) == 10
    assert all(later - earlier >= 120 for earlier, later in pairwise(times_s))


def test_only_good_fixes_are_sent_and_drawn() -> None:
    made = grazing()
    sent = [each for file in made.files for each in file if each.topic == "positions"]

    assert all(json.loads(each.value or "")["hdop"] <= 5 for each in sent)
    assert {(each.key or b"").decode() for each in sent} == set(made.tracks)
    assert all(track == sorted(track) for track in made.tracks.values())


def test_each_animal_that_is_drawn_is_in_the_herd() -> None:
    assert {"cow-00", "cow-03", "cow-05"} <= set(grazing().tracks)


def test_animals_meet_if_they_are_near_at_one_moment_of_a_window() -> None:
    truth = {(0, 0): (0.0, 0.0), (0, 1): (3.0, 2.0), (1, 0): (0.0, 0.0), (1, 1): (4.0, 1.0), (0, 2): (9.0, 9.0)}
    cows = Herd(truth | {(1, 2): (9.0, 9.0)}, [], Pasture(start_ms=0, step_s=60))

    assert true_meetings(cows, 60) == {("cow-00", "cow-01", 0)}
    assert true_meetings(cows, 60, distance_m=4.2) == {("cow-00", "cow-01", 0), ("cow-00", "cow-01", 60_000)}


def test_herds_with_another_noise_walk_the_same_way() -> None:
    assert herd("pasture", noise_m=0.0, minutes=5).truth == herd("pasture", noise_m=5.0, minutes=5).truth


def test_files_are_in_order_of_arrival() -> None:
    assert len(grazing().files) == geo_herd.FILES
    assert all(grazing().files)
