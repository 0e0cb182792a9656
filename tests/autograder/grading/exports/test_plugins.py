"""nbgrader's `export` finds the formats, filters labs and students, and names the files."""

import csv
import logging
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from traitlets.config import Config

from autograder.classroom.folder import Classroom
from autograder.classroom.marks import ClassMarks
from autograder.grading.exports.plugins import CanvasExport, MoodleExport, PlainExport
from autograder.record import gradebook as recording

LABS = ("lab01_wordcount", "lab02_windows")


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_class: Callable[..., ClassMarks]) -> Path:
    """An empty folder to export into, and a kit of two labs with the same marks in both."""
    course = SimpleNamespace(labs=dict.fromkeys(LABS))
    monkeypatch.setattr(Classroom, "of_this_kit", classmethod(lambda _: SimpleNamespace(course=course)))
    monkeypatch.setattr(recording, "marks_of", lambda gradebook, course, lab: small_class(title=lab))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _export(plugin: type[PlainExport], labs: tuple[str, ...] = LABS[:1], **options: Any) -> None:
    gradebook = SimpleNamespace(assignments=[SimpleNamespace(name=each) for each in labs])
    plugin(parent=None, config=Config({plugin.__name__: options})).export(gradebook)


def _students(file: Path) -> list[str]:
    return [row["student"] for row in csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines())]


@pytest.mark.parametrize(
    ("plugin", "heading"), [(PlainExport, "student,"), (CanvasExport, "Student,ID,"), (MoodleExport, "First name,")]
)
def test_each_plugin_writes_its_format(plugin: type[PlainExport], heading: str, in_folder: Path) -> None:
    _export(plugin, to="marks.csv")

    assert (in_folder / "marks.csv").read_text(encoding="utf-8-sig").startswith(heading)


def test_without_a_path_the_file_is_named_after_the_lab_and_the_format(in_folder: Path) -> None:
    _export(CanvasExport)

    assert [each.name for each in in_folder.iterdir()] == ["lab01_wordcount-canvas.csv"]


def test_each_of_several_labs_gets_its_own_file_in_the_given_folder(in_folder: Path) -> None:
    _export(PlainExport, LABS, to="out")

    assert sorted(each.name for each in (in_folder / "out").iterdir()) == [f"{lab}-plain.csv" for lab in LABS]


def test_only_the_requested_labs_and_students_are_written(in_folder: Path) -> None:
    _export(PlainExport, LABS, assignment=["lab02_windows"], student=["ben", "carla"])

    assert [each.name for each in in_folder.iterdir()] == ["lab02_windows-plain.csv"]
    assert _students(in_folder / "lab02_windows-plain.csv") == ["ben", "carla"]


def test_an_assignment_that_is_not_a_lab_is_reported_and_nothing_is_written(
    in_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    _export(PlainExport, ("ps1",), assignment=["ps1"])

    assert "Nothing to export: the gradebook has no marks for ps1." in caplog.text
    assert list(in_folder.iterdir()) == []


def test_warnings_are_logged(in_folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    _export(PlainExport)

    assert "1 student still needs a manual grade" in caplog.text
