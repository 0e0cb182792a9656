"""Each feedback page has the name under which Canvas or Moodle finds the student whose page it is."""

import os
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.grading.exports import FeedbackSummary, write_feedback_archive
from autograder.record.course_site import collected as records
from autograder.record.course_site.collected import Collected
from tests.autograder.tiny_class import LAB, TinyClass

GRADED = {"score": 1.0}


def collected(site: str, returned_as: str | None) -> Collected:
    return Collected(site, "entry", 1, "2026-10-05T12:00:00+00:00", False, "digest", False, returned_as)


def written(tiny_class: TinyClass, path: Path, site: str, *students: StudentMark) -> FeedbackSummary:
    """Write a page for each student, and the archive."""
    tiny_class.classroom.folder.mkdir(exist_ok=True)
    tiny_class.classroom.gradebook.touch()
    for each in students:
        page = tiny_class.classroom.feedback_of(LAB, each.student) / f"{LAB}.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"page of {each.student}")
    marks = ClassMarks("Tiny", LAB, "Tiny", "1", 7.0, students)
    return write_feedback_archive(tiny_class.classroom, None, marks, site, path)


def pages(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {each: archive.read(each).decode() for each in archive.namelist()}


def canvas_finds(name: str) -> tuple[int, int]:
    """Return the user and the attachment as Canvas does: the first two parts that are numbers."""
    parts = [each for each in name.split("_") if each != "LATE"]
    user, attachment = [int(each) for each in parts if re.fullmatch("[0-9]+", each)][:2]
    return user, attachment


def moodle_finds(path: str) -> tuple[int, str]:
    """Return the participant and the file as Moodle does: the first part of the path with four parts by underscores."""
    parts = path.split("/")
    while parts:
        info = parts.pop(0).split("_", 4)
        if len(info) >= 4 and info[1].isdigit():
            return int(info[1]), "/".join(each for each in [*info[4:], *parts] if each)
    raise AssertionError(f"Moodle ignores {path}")


def test_canvas_gets_each_page_under_the_attachment_of_its_student(tiny_class: TinyClass, tmp_path: Path) -> None:
    names = {"ada": "lovelaceada_LATE_4711_9010_", "ben": "oneillben_4712_9002_"}
    tiny_class.classroom.folder.mkdir()
    records.keep(tiny_class.classroom, LAB, {who: collected("canvas", name) for who, name in names.items()})

    summary = written(
        tiny_class,
        tmp_path / "f.zip",
        "canvas",
        StudentMark("ada", 7.0, results=GRADED),
        StudentMark("ben", 7.0, results=GRADED),
    )

    found = {canvas_finds(name): page for name, page in pages(tmp_path / "f.zip").items()}
    assert found == {(4711, 9010): "page of ada", (4712, 9002): "page of ben"}
    assert summary.students == ["ada", "ben"]
    assert all(each.endswith(".html") for each in pages(tmp_path / "f.zip"))


@pytest.mark.parametrize("form", ["_/", "/", "_"], ids=["folder", "folder of Moodle 4.1", "flat"])
def test_moodle_gets_each_page_under_the_number_of_its_participant(
    tiny_class: TinyClass, tmp_path: Path, form: str
) -> None:
    tiny_class.classroom.folder.mkdir()
    name = f"Chloé Núñez_902_assignsubmission_file{form}"
    records.keep(tiny_class.classroom, LAB, {"chloe": collected("moodle", name)})

    written(tiny_class, tmp_path / "f.zip", "moodle", StudentMark("chloe", 7.0, results=GRADED))

    found = {moodle_finds(name): page for name, page in pages(tmp_path / "f.zip").items()}
    assert found == {(902, f"{LAB}.html"): "page of chloe"}


def test_a_student_without_a_page_or_a_name_on_the_site_is_left_out_with_a_reason(
    tiny_class: TinyClass, tmp_path: Path
) -> None:
    tiny_class.classroom.folder.mkdir()
    records.keep(
        tiny_class.classroom,
        LAB,
        {
            "ada": collected("canvas", "lovelaceada_4711_9010_"),
            "ben": collected("moodle", "Ben_1_assignsubmission_file_/"),
            "cem": collected("canvas", "x_4713_9011_"),
            "dan": collected("canvas", None),
        },
    )
    graded = [StudentMark(each, 7.0, results=GRADED) for each in ("ada", "ben", "dan", "eve")]
    not_graded = StudentMark("cem", 7.0, submitted_at=datetime(2026, 10, 5, tzinfo=UTC))

    summary = written(tiny_class, tmp_path / "f.zip", "canvas", *graded, not_graded, StudentMark("zoe", 7.0))

    assert summary.students == ["ada"]
    assert summary.left_out == {
        "ben": "not collected from Canvas; return the page by hand",
        "cem": "not graded yet",
        "dan": "Canvas has the group's file under another member, and shows that page to the group",
        "eve": "not collected from Canvas; return the page by hand",
    }


def test_a_gradebook_that_has_changed_since_the_pages_is_reported(tiny_class: TinyClass, tmp_path: Path) -> None:
    tiny_class.classroom.folder.mkdir()
    records.keep(tiny_class.classroom, LAB, {"ada": collected("canvas", "a_1_2_")})
    ada = StudentMark("ada", 7.0, results=GRADED)

    assert not written(tiny_class, tmp_path / "f.zip", "canvas", ada).is_outdated
    later = tiny_class.classroom.gradebook.stat().st_mtime + 60
    os.utime(tiny_class.classroom.gradebook, (later, later))

    marks = ClassMarks("Tiny", LAB, "Tiny", "1", 7.0, (ada,))
    assert write_feedback_archive(tiny_class.classroom, None, marks, "canvas", tmp_path / "f.zip").is_outdated


def test_without_a_page_there_is_no_archive(tiny_class: TinyClass, tmp_path: Path) -> None:
    summary = written(tiny_class, tmp_path / "f.zip", "canvas", StudentMark("eve", 7.0, results=GRADED))

    assert summary.students == []
    assert not (tmp_path / "f.zip").exists()
