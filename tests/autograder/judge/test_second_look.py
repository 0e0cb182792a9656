"""A check that failed at a time limit stays open if the reference would have needed most of it; otherwise it failed."""

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.judge import reference_figures, second_look
from autograder.judge.reference_figures import expected, measured
from autograder.judge.results import open_checks
from autograder.judge.second_look import rounded_up
from tests.autograder.judge.tiny_kit import RIGHT, Kit, sentence, verdicts

HANGS = "def double(x):\n    while x > 1: pass\n    return 2 * x"
BURNS = f"import os\nfor _ in range(3):\n    if not os.fork():\n        while True: pass\n{HANGS}"
WAITING_DRIVE = """
from autograder.inside.patience import wait_until

@drive("double")
def double(stage, case):
    wait_until(lambda: stage.double(case["number"]), 0.2)
    return {"got": stage.double(case["number"])}
"""
SLOW = "import time\ndef double(x):\n    time.sleep({seconds})\n    return 2 * x"
NEVER_READY = "def double(x):\n    return 0"


@pytest.fixture
def kit(tiny_root: Path, tiny_course: Course) -> Kit:
    return Kit(tiny_root, tiny_course, "process").with_limits(case_s=1.0, wall_s=60.0)


def with_reference(kit: Kit, double: str = RIGHT["double"]) -> Kit:
    folder = kit.root / "solutions" / "lab99_tiny"
    folder.mkdir(parents=True)
    cells = [f'# %% task="double"\n{double}', f'# %% task="triple"\n{RIGHT["triple"]}']
    (folder / "lab99_tiny.py").write_text("\n\n".join(cells) + "\n")
    return kit


def with_recorded(kit: Kit, slowest_case_s: float) -> Kit:
    path = kit.root / "autograder/stages/lab99_tiny" / reference_figures.FILE
    path.write_text(json.dumps(measured({"double": slowest_case_s}, {"double": 1})))
    return kit


def is_open(results: dict[str, Any]) -> bool:
    return open_checks(results) == {"double/twice_the_number": 2.0}


@pytest.mark.parametrize("double", [HANGS, BURNS], ids=["hangs", "burns the machine"])
def test_a_verdict_stands_and_gives_both_times_if_the_reference_is_quick(kit: Kit, double: str) -> None:
    results = with_reference(kit).judge(double, RIGHT["triple"])

    assert verdicts(results) == {"double": "timeout", "triple": "pass"}
    assert "no answer within 1 s; the reference solution needs under 1 s here." in sentence(results, "double")
    assert (results["score"], results["max_score"], open_checks(results)) == (2, 4, {})


@pytest.mark.parametrize("seconds", [0.8, 60], ids=["most of the limit", "longer than four limits"])
def test_only_the_check_at_the_limit_stays_open_if_the_reference_is_slow_here(kit: Kit, seconds: float) -> None:
    results = with_reference(kit, SLOW.format(seconds=seconds)).judge(HANGS, RIGHT["triple"])

    assert verdicts(results) == {"double": "inconclusive", "triple": "pass"}
    assert "this machine is too busy" in sentence(results, "double")
    assert (results["score"], results["max_score"], is_open(results)) == (2, 2, True)


def test_an_effect_that_did_not_come_in_time_is_a_mistake_only_if_the_references_comes(kit: Kit) -> None:
    drive = kit.root / "autograder/stages/lab99_tiny/numbers/drive.py"
    drive.write_text(drive.read_text() + WAITING_DRIVE)
    with_reference(kit)

    assert verdicts(kit.judge(NEVER_READY, RIGHT["triple"]))["double"] == "fail"
    (kit.root / "solutions/lab99_tiny/lab99_tiny.py").write_text(f'# %% task="double"\n{NEVER_READY}\n')
    assert is_open(kit.judge(NEVER_READY, RIGHT["triple"]))


@pytest.mark.parametrize(("slowest_case_s", "stays_open"), [(0.01, False), (0.6, True)])
def test_a_students_kit_compares_with_the_recorded_time(
    kit: Kit, slowest_case_s: float, stays_open: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_figures, "computation_s", lambda: (0.01, 0.01))  # as fast as when it was recorded

    assert is_open(with_recorded(kit, slowest_case_s).judge(HANGS, RIGHT["triple"])) == stays_open


def test_a_kit_without_a_reference_and_recorded_times_lets_the_verdict_stand(kit: Kit) -> None:
    assert verdicts(kit.judge(HANGS, RIGHT["triple"]))["double"] == "timeout"


def test_the_reference_is_driven_a_few_times_only_and_decides_for_the_other_tasks(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "DRIVES_MAX", 1)
    results = with_reference(kit, SLOW.format(seconds=0.8)).judge(
        HANGS, HANGS.replace("double", "triple").replace("2 * x", "3 * x")
    )

    assert set(open_checks(results)) == {"double/twice_the_number", "triple/three_times_the_number"}


def test_times_are_said_in_steps_so_that_equal_submissions_get_equal_sentences() -> None:
    assert [rounded_up(each) for each in (0.0, 0.99, 1.0, 14.0, 900.0)] == [
        "under 1 s",
        "under 1 s",
        "under 2 s",
        "under 20 s",
        "900 s",
    ]


def test_a_recorded_time_is_scaled_by_the_computation_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "autograder/stages/lab99_tiny"
    folder.mkdir(parents=True)
    monkeypatch.setattr(reference_figures, "computation_s", lambda: (0.03, 0.05))
    recorded = {reference_figures.COMPUTATION: 0.01, reference_figures.SLOWEST: {"double": 2.0}}
    (folder / reference_figures.FILE).write_text(json.dumps(recorded))

    found = expected(tmp_path, "lab99_tiny", "double")

    assert found is not None
    assert found.granted_s == pytest.approx(6.0)  # three times as slow
    assert found.seconds == pytest.approx(10.0)
    assert expected(tmp_path, "lab99_tiny", "triple") is None
    (folder / reference_figures.FILE).write_text("[]")
    assert expected(tmp_path, "lab99_tiny", "double") is None
