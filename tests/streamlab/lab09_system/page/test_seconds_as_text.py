"""Seconds of a system are lines of at most 79 characters, with the burst in the second one."""

from pathlib import Path
from typing import Any

import pytest

from streamlab.lab09_system.page.borders import Recorder
from streamlab.lab09_system.page.message import Message
from streamlab.lab09_system.page.recording import BEFORE_S, RecordedSource, record
from streamlab.lab09_system.page.seconds_as_text import ROW_S, ROWS, seconds_as_text
from tests.streamlab.lab09_system.page.conftest import Counting


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
    path, recorder = tmp_path / "day.jsonl.gz", Recorder()

    class Asking(Counting):
        admit = staticmethod(recorder.wrap("admit", abs))

        def step(self) -> Message:
            self.admit(-self.at_s)
            return super().step()

    record(Asking(), recorder, path, "2026.2", "seed", {40: "burst"}, 200)
    source = RecordedSource(path, {"lab09_system/admit": abs}, {"connector": ["lab09_system/admit"]})

    *_, last = seconds_as_text(source)
    source.end()

    assert last.startswith("admit: ")
