"""The records of the farmer and the collars, and the comparison of contacts with the truth."""

import json
from itertools import pairwise

from streamlab.lab08_geofencing.experiments.herd import FILES, grazing, true_meetings
from streamlab.lab08_geofencing.herd import Herd, Pasture, herd


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
