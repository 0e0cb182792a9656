"""A later notebook gets the learner's own task of an earlier lab, or the reference's with a line that says why."""

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
SLOW_BUT_RIGHT = next(
    each.code
    for each in alternatives_of(
        ROOT / "autograder/stages" / LAB,
        load_course(ROOT).labs[LAB].tasks,
        read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells,
    )
    if each.name == "words__character_by_character"
)
WRONG = "def words(line):\n    return line.split(' ')"


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit's root with the starter and the reference of lab 1, and no work in it yet; `words` needs no Spark."""
    monkeypatch.setitem(vars(streamlab), "session", lambda name: None)
    for name in ("labs", "solutions"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setattr(stages, "ROOT", tmp_path)
    return tmp_path


def work(root: Path, source: str) -> None:
    (root / "work" / LAB).mkdir(parents=True)
    cells = [{"cell_type": "code", "metadata": {}, "source": source}]
    (root / "work" / LAB / f"{LAB}.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))


def test_the_learners_own_words_are_used_silently(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work(kit, f"{SLOW_BUT_RIGHT}\nMARK = 'mine'")

    own = stages.stage(LAB)

    assert own.words("Rock 'n' roll") == ["rock", "n", "roll"]
    assert own.words.__globals__["MARK"] == "mine"
    assert capsys.readouterr().out == ""


def test_the_reference_stands_in_for_words_that_do_not_pass(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work(kit, WRONG)

    words = stages.stage(LAB).words

    assert words("to  be") == ["to", "be"]
    said = capsys.readouterr().out
    assert said.startswith(f"{LAB}/words does not pass: ")
    assert said.endswith("The reference solution is used instead.\n")


def test_the_starter_is_taken_where_there_is_no_work_yet(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stages.stage(LAB).words("To be") == ["to", "be"]
    assert "words is not written yet. The reference solution is used instead." in capsys.readouterr().out


def test_what_is_said_can_go_elsewhere(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    stages.stage(LAB, on_progress=said.append).words("a")

    assert capsys.readouterr().out == ""
    assert len(said) == 1


def test_why_a_task_is_not_the_learners_own_is_told_without_loading_what_stands_in(kit: Path) -> None:
    assert stages.silent_stage(LAB).why_not_own("words") == "words is not written yet."
    work(kit, SLOW_BUT_RIGHT)
    assert stages.silent_stage(LAB).why_not_own("words") is None


def test_it_is_said_once(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = stages.stage(LAB)
    own.words("a"), own.words("b")

    assert capsys.readouterr().out.count("stands in") == 1


def test_a_students_kit_has_no_reference_and_gives_the_learners_own(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (kit / "solutions").unlink()
    work(kit, WRONG)

    assert stages.stage(LAB).words("to  be") == ["to", "", "be"]
    assert "This kit has no reference solution to fall back to." in capsys.readouterr().out


def test_a_function_of_an_earlier_lab_goes_to_workers_by_value(kit: Path) -> None:
    words = stages.stage(LAB).words

    assert b"reference_lab01_wordcount" not in cloudpickle.dumps(words)[:200]
    assert cloudpickle.loads(cloudpickle.dumps(words))("To be") == ["to", "be"]


def test_an_unknown_lab_is_named(kit: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no notebook of lab77"):
        stages.stage("lab77")
