"""Samples survive a round trip through JSON."""

import hashlib
import json
from pathlib import Path

import pytest

from streamlab.lab08_geofencing.experiments.scaling import (
    RECORDED,
    Series,
    achieved_per_s,
    as_json,
    recorded_scaling,
)
from streamlab.lab08_geofencing.published import SCALING


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


def test_the_page_has_the_checksum_of_the_recording() -> None:
    content = RECORDED.read_bytes()

    line = f"| two_cores.json | {len(content)} | `{hashlib.sha256(content).hexdigest()}` |"
    assert line in (RECORDED.parent / "README.md").read_text(encoding="utf-8")


def test_the_kits_recording_has_three_series_of_one_to_three_nodes() -> None:
    assert [each.what for each in recorded_scaling(RECORDED)] == list(SCALING)
    assert all(list(each.runs) == [1, 2, 3] for each in recorded_scaling())
