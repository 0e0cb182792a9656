"""Each format is written completely, and a warning names what needs a second look."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark
from autograder.grading.exports import FORMATS, UnknownFormat, write_export

Class = Callable[..., ClassMarks]
FORMULA = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_row_for_every_student(name: str, small_class: Class, tmp_path: Path) -> None:
    path = tmp_path / "exports" / f"{name}.csv"

    summary = write_export(small_class(), name, path)

    text = path.read_text(encoding="utf-8-sig")
    assert [who in text for who in ("ana", "ben", "carla")] == [True] * 3
    assert (summary.path, summary.format_name, summary.students) == (path, name, 3)


@pytest.mark.parametrize("name", FORMATS)
def test_no_cell_of_any_format_begins_a_formula(
    name: str, small_class: Class, exported: Callable[..., list[list[str]]]
) -> None:
    hostile = StudentMark(FORMULA, 40.0, results={}, first_name=FORMULA, last_name=FORMULA, email=FORMULA, lms_id="+1")
    hostile_questions = StudentMark("b", 40.0, results={}, written=(WrittenMark(FORMULA, None, 1.0),))

    cells = [cell for row in exported(small_class(hostile, hostile_questions, title=FORMULA), name) for cell in row]

    assert any(cell.startswith("'=cmd") for cell in cells)
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@") and cell != "-"]


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_marks_give_the_same_bytes(name: str, small_class: Class, tmp_path: Path) -> None:
    for file in ("a.csv", "b.csv"):
        write_export(small_class(), name, tmp_path / file)

    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_only_the_format_for_spreadsheets_has_a_byte_order_mark(small_class: Class, tmp_path: Path) -> None:
    marked = {}
    for name in FORMATS:
        write_export(small_class(), name, tmp_path / name)
        marked[name] = (tmp_path / name).read_bytes().startswith(b"\xef\xbb\xbf")

    assert marked == {"plain": True, "canvas": False, "moodle": False}


def test_warnings_count_missing_manual_grades_missing_work_and_guarded_cells(
    small_class: Class, tmp_path: Path
) -> None:
    three = small_class().students
    more = StudentMark("dora", 40.0, results={}, written=(WrittenMark("choose_a_model", None, 4.0),), email=FORMULA)

    summary = write_export(small_class(*three, more), "plain", tmp_path / "marks.csv")

    assert summary.warnings == [
        "2 students still need a manual grade; the total counts an ungraded answer as 0.",
        "1 student handed in nothing.",
        "1 cell began like a formula and got an apostrophe in front.",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_work_that_is_not_graded_yet_has_no_points_and_a_warning_names_the_next_step(
    name: str, small_class: Class, exported: Callable[..., list[list[str]]], tmp_path: Path
) -> None:
    marks = small_class(StudentMark("ana", 40.0, submitted_at=datetime(2026, 3, 9, tzinfo=UTC)))

    row = exported(marks, name)[-1]

    assert "0" not in row
    assert write_export(marks, name, tmp_path / "marks.csv").warnings == [
        "1 student handed in work that has no grade yet. Run `./lab grade lab01_wordcount`, then export again."
    ]


def test_a_manual_grade_that_is_older_than_what_it_was_given_for_counts_with_a_warning(
    small_class: Class, exported: Callable[..., list[list[str]]], tmp_path: Path
) -> None:
    older = (WrittenMark("check-words", 2.0, 5.0, changed_since=True),)
    marks = small_class(StudentMark("ana", 40.0, judged_points=30.0, results={}, written=older))

    head, row = exported(marks, "plain")

    cells = dict(zip(head, row, strict=True))
    assert [cells[each] for each in ("judged", "check-words", "total", "status")] == [
        *("30", "2", "32", "needs a manual grade")
    ]
    assert write_export(marks, "plain", tmp_path / "marks.csv").warnings == [
        "1 student has a manual grade that is older than the answer or the judged result; the total counts it. "
        "Check it with `./lab mark lab01_wordcount`."
    ]


def test_a_complete_class_gives_no_warning(small_class: Class, tmp_path: Path) -> None:
    assert write_export(small_class(small_class().students[0]), "plain", tmp_path / "marks.csv").warnings == []


def test_the_error_for_an_unknown_format_lists_the_formats(small_class: Class, tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="no export format 'xlsx'; the formats are plain, canvas, moodle"):
        write_export(small_class(), "xlsx", tmp_path / "marks.xlsx")

    assert not (tmp_path / "marks.xlsx").exists()
