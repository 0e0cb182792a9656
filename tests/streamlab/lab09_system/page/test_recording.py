"""A recorded day plays as it was recorded, also as lines of text, and a fault goes to its second."""

import gzip
import time
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab09_system.page.borders import Recorder
from streamlab.lab09_system.page.message import Message
from streamlab.lab09_system.page.recording import BEFORE_S, DAY, BrokenRecording, RecordedSource, record
from streamlab.lab09_system.page.seconds_as_text import ROW_S, ROWS, seconds_as_text
from tests.streamlab.lab09_system.page.conftest import Counting


def record_asking(path: Path, faults: dict[int, str], seconds: int) -> None:
    """Record a system that asks a task of the learner, `admit`, each second."""
    recorder = Recorder()

    class Asking(Counting):
        admit = staticmethod(recorder.wrap("admit", abs))

        def step(self) -> Message:
            self.admit(-self.at_s)
            return super().step()

    record(Asking(), recorder, path, "2026.2", "seed", faults, seconds)


def test_a_recording_plays_what_was_recorded_and_begins_again(tmp_path: Path) -> None:
    path, source = tmp_path / "day.jsonl.gz", Counting()
    record(source, Recorder(), path, "2026.2", "seed", {2: "burst"}, 5)
    played = RecordedSource(path)

    assert [played.step()["at_s"] for _ in range(7)] == [1, 2, 3, 4, 5, 1, 2]
    assert source.faults == ["burst"]
    assert played.release == "2026.2"


def test_a_fault_goes_to_the_seconds_before_it(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl.gz"
    record(Counting(), Recorder(), path, "2026.2", "seed", {20: "job"}, 30)
    played = RecordedSource(path)

    assert "at second 15" in played.inject("job")
    assert played.step()["at_s"] == 16
    assert "not in this recording" in played.inject("leader")


def test_a_task_of_the_learner_is_compared_while_the_day_plays(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl.gz"
    record_asking(path, {}, 3)
    own = {"lab09_system/admit": lambda number: number if number == -2 else abs(number)}
    played = RecordedSource(path, own, {"connector": list(own)})
    messages: list[Any] = [played.step()]
    deadline_s = time.monotonic() + 60
    while messages[-1]["compared"]["tasks"]["admit"] != "2 of 3 as recorded":
        assert time.monotonic() < deadline_s
        messages.append(played.step())
    played.end()

    assert messages[-1]["compared"]["boxes"]["connector"][-1] == "2 of 3"
    assert messages[-1]["compared"]["differences"] == ["admit, second 2, admit(-2): expected 2, got -2"]


def test_a_recording_has_equal_bytes_each_time(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    for path in paths:
        record(Counting(), Recorder(), path, "2026.2", "seed", {}, 5)

    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    "content", [b"", b"no gzip", *(gzip.compress(each, mtime=0) for each in (b"{}", b"[1]\n[2]", b"{"))]
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


def test_a_running_system_gets_the_burst_in_the_second_line() -> None:
    source = Counting()
    _, first, second, *others = seconds_as_text(source)

    assert source.faults == ["burst"]
    assert source.at_s == ROWS * ROW_S
    assert [first.split()[0], second.split()[0]] == ["5", "10"]
    assert ["Burst" in line for line in (first, second, *others)] == [False, True, *[False] * (ROWS - 2)]


def test_a_recorded_day_goes_to_its_burst(tmp_path: Path) -> None:
    path, burst_s = tmp_path / "day.jsonl.gz", 40
    record(Counting(), Recorder(), path, "2026.2", "seed", {burst_s: "burst"}, 200)
    _, first, second, *_ = seconds_as_text(RecordedSource(path))

    assert int(first.split()[0]) == burst_s - BEFORE_S + ROW_S
    assert "Burst" in second


@pytest.mark.parametrize(
    ("fields", "remark"),
    [
        ({"down": ["job"], "pages": [True]}, "down: job"),
        ({"pages": [False, True]}, "alarm"),
        ({"lags": [400_000, 500_000], "p99_ms": 43_500, "offered": 10_000}, "43.5"),
    ],
)
def test_a_line_says_what_is_not_as_usual_in_less_than_80_characters(fields: dict[str, Any], remark: str) -> None:
    *lines, last = seconds_as_text(Counting(**fields))

    assert last.endswith(remark)
    assert max(map(len, [*lines, last])) < 80


def test_the_last_lines_say_how_the_learners_tasks_answered(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl.gz"
    record_asking(path, {40: "burst"}, 200)
    source = RecordedSource(path, {"lab09_system/admit": abs}, {"connector": ["lab09_system/admit"]})
    *_, last = seconds_as_text(source)
    source.end()

    assert last.startswith("admit: ")
