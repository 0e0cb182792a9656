"""Rates of push and of more nodes come from recorded samples, beside the published ones; samples survive JSON."""

import hashlib
import json
from pathlib import Path

import pytest

from streamlab.lab08_geofencing.experiments import recorded_load, scaling
from streamlab.lab08_geofencing.experiments.offered_load import KILLED, KILLED_PER_S, RATES_PER_S, RISING
from streamlab.lab08_geofencing.experiments.recorded_load import COMPUTED, OURS, achieved_over_offered, around_the_kill
from streamlab.lab08_geofencing.experiments.scaling import Series, achieved_per_s, as_json, recorded_scaling
from streamlab.lab08_geofencing.published import SCALING


def test_a_batch_after_the_kill_counts_over_the_time_without_a_batch() -> None:
    lines = around_the_kill([(-2.0, 100, 0), (-1.0, 200, 100), (9.0, 1200, 200), (11.0, 1400, 1400)], 100)

    assert lines[OURS] == [(-2.0, 100), (-1.0, 100), (-1.0, 10), (9.0, 10), (9.0, 600), (11.0, 600)]


def test_fencex_catches_up_until_the_lag_of_its_dip_is_gone() -> None:
    published = around_the_kill([(-2.0, 100, 0), (-1.0, 200, 100)], 100)[COMPUTED]

    (_, (began_s, usual), (_, dip), (dip_ends_s, _), _, (end_s, fast)) = published
    lost, regained = (usual - dip) * (dip_ends_s - began_s), (fast - usual) * (end_s - dip_ends_s)
    assert (dip, fast) == (68.75, 137.5)
    assert regained == pytest.approx(lost)


def test_rates_cover_the_time_from_the_first_to_the_last_batch() -> None:
    runs = {20: [(1.0, 20, 10), (3.0, 60, 30)], 10: [(1.0, 10, 0), (2.0, 20, 10)]}

    assert achieved_over_offered(runs)[OURS] == [(10, 10), (20, 10)]


def test_a_file_of_another_experiment_is_rejected_in_one_line() -> None:
    with pytest.raises(ValueError, match="holds no series '" + KILLED):
        recorded_load.pictures(scaling.RECORDED)


@pytest.mark.parametrize("recording", [recorded_load.RECORDED, scaling.RECORDED])
def test_the_page_has_the_checksum_of_the_recording(recording: Path) -> None:
    content = recording.read_bytes()

    line = f"| two_cores.json | {len(content)} | `{hashlib.sha256(content).hexdigest()}` |"
    assert line in recording.with_name("README.md").read_text(encoding="utf-8")


def test_the_kits_recording_has_the_kill_and_all_loads() -> None:
    recorded = {each.what: list(each.runs) for each in recorded_scaling(recorded_load.RECORDED)}

    assert recorded == {KILLED: [KILLED_PER_S], RISING: list(RATES_PER_S)}
    assert [OURS in picture.alt for picture in recorded_load.pictures()] == [True, True]


def test_series_are_the_same_after_json(tmp_path: Path) -> None:
    series = [Series("push, strong", {1: [(0.0, 0, 0), (0.25, 10, 5)], 2: [(0.0, 0, 0), (0.25, 10, 10)]})]
    file = tmp_path / "series.json"
    file.write_text(json.dumps(as_json(series, {"cores": 2})))

    assert recorded_scaling(file) == series


def test_a_rate_covers_the_time_from_the_first_to_the_last_sample() -> None:
    assert achieved_per_s([(1.0, 100, 50), (1.5, 200, 60), (3.0, 300, 90)]) == 20.0


@pytest.mark.parametrize("content", ["[]", "{}", "no json", '{"series": [{"what": 1}]}'])
def test_a_file_without_series_is_rejected_in_one_line(content: str, tmp_path: Path) -> None:
    file = tmp_path / "series.json"
    file.write_text(content)

    with pytest.raises(ValueError, match="holds no series"):
        recorded_scaling(file)


def test_the_recorded_scaling_has_three_series_of_one_to_three_nodes() -> None:
    assert [each.what for each in recorded_scaling(scaling.RECORDED)] == list(SCALING)
    assert all(list(each.runs) == [1, 2, 3] for each in recorded_scaling())
