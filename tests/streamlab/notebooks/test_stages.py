"""A later notebook gets the learner's task of an earlier lab, or falls back to the reference with a message."""

import json
from pathlib import Path

import pytest
from pyspark import cloudpickle

import streamlab
from autograder.course import load_course
from autograder.verify.variants import alternatives_of
from streamlab.notebooks import stages
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[3]
LAB = "lab01_wordcount"
CELLS = read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells
ALTERNATIVES = alternatives_of(ROOT / "autograder/stages" / LAB, load_course(ROOT).labs[LAB].tasks, CELLS)
SLOW_BUT_RIGHT = next(each.code for each in ALTERNATIVES if each.name == "words__character_by_character")
WRONG = "def words(line):\n    return line.split(' ')"


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a kit's root with the starter and reference of Lab 1 and no work yet; `words` needs no Spark."""
    monkeypatch.setitem(vars(streamlab), "session", lambda name: None)
    for name in ("labs", "solutions"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setattr(stages, "ROOT", tmp_path)
    return tmp_path


def work(root: Path, source: str) -> None:
    (root / "work" / LAB).mkdir(parents=True)
    cells = [{"cell_type": "code", "metadata": {}, "source": source}]
    (root / "work" / LAB / f"{LAB}.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))


def test_the_learners_own_task_is_used_without_a_message(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work(kit, f"{SLOW_BUT_RIGHT}\nMARK = 'mine'")
    own = stages.stage(LAB)

    assert own.words("Rock 'n' roll") == ["rock", "n", "roll"]
    assert own.words.__globals__["MARK"] == "mine"
    assert capsys.readouterr().out == ""


def test_a_task_that_does_not_pass_falls_back_to_the_reference(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work(kit, WRONG)
    words = stages.stage(LAB).words

    assert words("to  be") == ["to", "be"]
    output = capsys.readouterr().out
    assert output.startswith(f"{LAB}/words does not pass: ")
    assert output.endswith("The reference solution is used instead.\n")


def test_the_starter_is_used_if_there_is_no_work_yet(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = stages.stage(LAB)

    assert own.words("To be") == own.words("to BE") == ["to", "be"]
    why = "words is not written yet. The reference solution is used instead."
    assert capsys.readouterr().out == f"{LAB}/words does not pass: {why}\n"


def test_the_fallback_message_appears_once_and_can_be_redirected(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages: list[str] = []
    own = stages.stage(LAB, on_progress=messages.append)
    own.words("a"), own.words("b")

    assert (len(messages), capsys.readouterr().out) == (1, "")


def test_the_reason_for_a_fallback_is_available_without_loading_the_reference(kit: Path) -> None:
    assert stages.silent_stage(LAB).why_not_own("words") == "words is not written yet."
    work(kit, SLOW_BUT_RIGHT)
    assert stages.silent_stage(LAB).why_not_own("words") is None


def test_a_kit_without_reference_uses_the_learners_task(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kit / "solutions").unlink()
    work(kit, WRONG)

    assert stages.stage(LAB).words("to  be") == ["to", "", "be"]
    assert "This kit has no reference solution to use instead." in capsys.readouterr().out


def test_a_function_of_an_earlier_lab_is_sent_to_workers_by_value(kit: Path) -> None:
    words = stages.stage(LAB).words

    assert b"reference_lab01_wordcount" not in cloudpickle.dumps(words)[:200]
    assert cloudpickle.loads(cloudpickle.dumps(words))("To be") == ["to", "be"]


def test_an_unknown_lab_is_reported_by_name(kit: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no notebook of lab77"):
        stages.stage("lab77")
