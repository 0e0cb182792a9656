"""A learner's work is copied, checked and reset without anything being lost."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import learner, progress_of_learner
from autograder.cli.context import UserError

LAB = "lab01_wordcount"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty work folder in the place of the learner's."""
    folder = tmp_path / "work"
    for module in (learner, progress_of_learner):
        monkeypatch.setattr(module, "WORK", folder)
    return folder


def test_the_copy_of_a_starter_is_made_once_and_never_overwritten(work: Path) -> None:
    notebook = learner.copy_of_starter(LAB)
    notebook.write_text("mine")

    assert learner.copy_of_starter(LAB) == work / LAB / f"{LAB}.ipynb"
    assert notebook.read_text() == "mine"


def test_the_newest_report_lies_beside_the_labs_too(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = {"streamlab": {"lab": LAB, "checks": []}}
    monkeypatch.setattr(learner, "judged", lambda *_: [judged])
    learner.copy_of_starter(LAB)

    assert CliRunner().invoke(learner.check, [LAB]).exit_code == 0

    assert (work / "report.html").read_bytes() == (work / LAB / "report.html").read_bytes()


def test_reset_moves_the_old_work_aside_each_time(work: Path) -> None:
    for text in ("first", "second"):
        learner.copy_of_starter(LAB).write_text(text)
        assert CliRunner().invoke(learner.reset, [LAB]).exit_code == 0

    kept = sorted(path.read_text() for path in work.glob(f"{LAB}.before-*/{LAB}.ipynb"))
    assert kept == ["first", "second"]
    assert json.loads((work / LAB / f"{LAB}.ipynb").read_text())["cells"]


def test_status_tells_what_was_started_and_what_was_reached(work: Path) -> None:
    before = CliRunner().invoke(progress_of_learner.status).output
    learner.copy_of_starter(LAB)
    started = CliRunner().invoke(progress_of_learner.status).output
    (work / LAB / "results.json").write_text('{"score": 12}')
    checked = CliRunner().invoke(progress_of_learner.status).output

    assert "not started" in before
    assert "started, not checked yet" in started
    assert "12 of" in checked


def test_hints_come_one_after_the_other_and_the_last_one_stays(work: Path) -> None:
    shown = [CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"]).output[:11] for _ in range(4)]

    assert shown == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]


def test_a_hints_memory_that_is_broken_begins_anew(work: Path) -> None:
    work.mkdir()
    (work / ".hints.json").write_text("not json")

    assert CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"]).output.startswith("Hint 1 of 3")


def test_checking_what_was_never_started_says_how_to_start(work: Path) -> None:
    outcome = CliRunner().invoke(learner.check, [LAB])

    assert isinstance(outcome.exception, UserError)
    assert f"./lab start {LAB}" in str(outcome.exception)
