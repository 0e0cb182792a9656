"""Earlier verdicts on a learner's tasks count while the tasks are as they were checked."""

import json
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.cli import learner, own_tasks
from autograder.cli.context import ROOT, course
from autograder.judge.cell_digests import CELL, task_cell_digests
from autograder.notebook_check.standing import keep_checked
from streamlab.notebooks.labfile import read_lab

LAB, WHOLE, OTHER = "lab05_placement", "Orchestrator", "place"
CHECK = next(each for each in load_stage(LAB).of_task(WHOLE) if each.invariant is not None)
WRONG, OF_THE_JUDGE = "The run ends early.", "Of the other tasks that it ran, these have no verdict yet: place, heal."
OF_HEAL = "Of the other tasks that it ran, these have no verdict yet: heal."


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The digest of a task in the only notebook of a learner."""
    monkeypatch.setattr(own_tasks, "WORK", tmp_path)
    released, notebook = ROOT / "labs" / LAB / f"{LAB}.ipynb", tmp_path / LAB / f"{LAB}.ipynb"
    notebook.parent.mkdir()
    notebook.write_bytes(released.read_bytes())
    return task_cell_digests(read_lab(notebook).cells)[OTHER]


def judged(sentence: str) -> dict[str, Any]:
    """Return the results of a run in which only the whole was judged."""
    claim = {"task": WHOLE, "check": CHECK.name, "title": CHECK.title, "verdict": "fail", "points": 0, "max_points": 1}
    return {"streamlab": {"checks": [{**claim, "sentence": sentence, "evidence": {"smallest_case": "one step"}}]}}


def told(work: Path, sentence: str, earlier: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the only check, after earlier verdicts {task: (verdict, digest)} were recorded."""
    for task, (verdict, of_cell) in earlier.items():
        keep_checked(work / LAB, task, dict.fromkeys(course().labs[LAB].tasks[task].checks, verdict), of_cell)
    results = judged(sentence)
    own_tasks.name_other_tasks(LAB, results)
    check: dict[str, Any] = results["streamlab"]["checks"][0]
    return check


@pytest.mark.parametrize(
    ("verdict", "is_as_checked", "named"),
    [
        ("pass", True, OF_HEAL),
        (
            "fail",
            True,
            f"{OF_HEAL.partition(' these have')[0]} these do not pass yet: place;{OF_HEAL.partition(',')[2]}",
        ),
        ("pass", False, OF_THE_JUDGE),  # it was changed since
    ],
)
def test_a_task_has_its_earlier_verdict_until_it_changes(
    tmp_path: Path, digest: str, verdict: str, is_as_checked: bool, named: str
) -> None:
    check = told(
        tmp_path, f"{WRONG} {OF_THE_JUDGE}", {OTHER: (verdict, digest if is_as_checked else "of another cell")}
    )

    assert check["sentence"] == f"{WRONG} {named}"
    assert "invariant" not in check["evidence"]


def test_the_invariant_is_cited_if_all_other_tasks_passed_before(tmp_path: Path, digest: str) -> None:
    check = told(
        tmp_path,
        f"{WRONG} Of the other tasks that it ran, these have no verdict yet: place.",
        {OTHER: ("pass", digest)},
    )

    assert check["sentence"] == WRONG
    assert check["evidence"]["invariant"].startswith(f"Invariant {CHECK.invariant}: ")
    assert check["evidence"]["smallest_case"] == "one step"


def test_a_sentence_about_no_other_task_stays(tmp_path: Path, digest: str) -> None:
    assert told(tmp_path, WRONG, {OTHER: ("fail", digest)}) == judged(WRONG)["streamlab"]["checks"][0]


def test_a_task_without_any_verdict_stays_unknown(tmp_path: Path, digest: str) -> None:
    (tmp_path / LAB / "checked.json").write_text(json.dumps({OTHER: {CELL: digest}}))  # without any verdict

    assert told(tmp_path, f"{WRONG} {OF_THE_JUDGE}", {})["sentence"] == f"{WRONG} {OF_THE_JUDGE}"


def test_a_check_of_one_task_shows_the_sentence_with_earlier_verdicts(
    tmp_path: Path, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_checked(tmp_path / LAB, OTHER, dict.fromkeys(course().labs[LAB].tasks[OTHER].checks, "pass"), digest)
    shown = list[str]()
    monkeypatch.setattr(learner, "WORK", tmp_path)
    monkeypatch.setattr(learner, "judged_work", lambda *_: judged(f"{WRONG} {OF_THE_JUDGE}"))
    monkeypatch.setattr(
        learner, "print_results", lambda results, _: shown.append(results["streamlab"]["checks"][0]["sentence"])
    )

    learner._check(LAB, WHOLE, False, None)

    assert shown == [f"{WRONG} {OF_HEAL}"]
