"""A recorded day plays as it was recorded, over and over, and a fault's button goes to its second."""

import gzip
from pathlib import Path

import pytest

from streamlab.lab09_system.page.recording import DAY, BrokenRecording, RecordedSource, record
from tests.streamlab.lab09_system.page.conftest import Counting


def test_a_recording_plays_what_was_recorded_and_begins_again(tmp_path: Path) -> None:
    path, source = tmp_path / "day.jsonl.gz", Counting()
    record(source, path, "2026.2", "seed", {2: "burst"}, 5)

    played = RecordedSource(path)

    assert [played.step()["at_s"] for _ in range(7)] == [1, 2, 3, 4, 5, 1, 2]
    assert source.faults == ["burst"]
    assert played.release == "2026.2"


def test_a_fault_goes_to_the_seconds_before_it(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl.gz"
    record(Counting(), path, "2026.2", "seed", {20: "job"}, 30)
    played = RecordedSource(path)

    assert "at second 15" in played.inject("job")
    assert played.step()["at_s"] == 16
    assert "not in this recording" in played.inject("leader")


def test_a_recording_has_equal_bytes_each_time(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    for path in paths:
        record(Counting(), path, "2026.2", "seed", {}, 5)

    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"{}", mtime=0), gzip.compress(b"[1]\n[2]", mtime=0), gzip.compress(b"{", mtime=0)],
)
def test_a_broken_recording_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "day").write_bytes(content)

    with pytest.raises(BrokenRecording, match="restore it from the kit"):
        RecordedSource(tmp_path / "day")


def test_the_kits_day_has_all_ten_faults_in_at_most_a_megabyte() -> None:
    played = RecordedSource(DAY)

    assert DAY.stat().st_size <= 1_000_000
    assert {kind["kind"] for _ in range(1200) for kind in played.step()["incidents"]} == {
        "burst", "skew", "log", "store", "slow store", "job", "leader", "worker", "poison", "clock",
    }  # fmt: skip
