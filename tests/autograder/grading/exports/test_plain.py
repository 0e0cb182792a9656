"""The plain format: headings, times, points and the status of each mark."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark
from autograder.grading.exports.plain import status

Export = Callable[[ClassMarks, str], list[list[str]]]


@pytest.fixture
def by_student(small_class: Callable[..., ClassMarks], exported: Export) -> dict[str, dict[str, str]]:
    """Exported rows by student, each with its cells by heading."""
    head, *rows = exported(small_class(), "plain")
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def test_headings_name_the_student_the_points_and_each_written_question(
    small_class: Callable[..., ClassMarks], exported: Export
) -> None:
    assert exported(small_class(), "plain")[0] == [
        *("student", "last_name", "first_name", "email", "submitted_at", "judged"),
        *("choose_a_model", "dbms_same_question"),
        *("bonus", "late_penalty", "total", "max", "needs_manual_grade", "status"),
    ]


def test_a_complete_mark_adds_up_and_its_time_has_an_offset(by_student: dict[str, dict[str, str]]) -> None:
    ana = by_student["ana"]

    assert (ana["last_name"], ana["first_name"]) == ("Núñez", "Ána")
    assert ana["submitted_at"] == "2026-03-09T17:05:00+01:00"
    assert [ana[each] for each in ("judged", "choose_a_model", "dbms_same_question", "late_penalty", "total")] == [
        *("31.5", "4", "1.5", "2", "35")
    ]


def test_an_ungraded_answer_is_empty_and_one_without_points_is_0(by_student: dict[str, dict[str, str]]) -> None:
    ben = by_student["ben"]

    assert (ben["choose_a_model"], ben["dbms_same_question"]) == ("", "0")
    assert (ben["needs_manual_grade"], ben["status"], ben["total"]) == ("yes", "needs a manual grade", "12")


def test_an_absent_student_has_a_row_that_says_so(by_student: dict[str, dict[str, str]]) -> None:
    carla = by_student["carla"]

    assert (carla["submitted_at"], carla["total"], carla["status"]) == ("", "0", "nothing handed in")


@pytest.mark.parametrize(
    ("student", "expected"),
    [
        (StudentMark("s", 4.0), "nothing handed in"),
        (StudentMark("s", 4.0, submitted_at=datetime(2026, 3, 9, tzinfo=UTC)), "not graded yet"),
        (StudentMark("s", 4.0, results={}, written=(WrittenMark("q", None, 1.0),)), "needs a manual grade"),
        (StudentMark("s", 4.0, results={}, written=(WrittenMark("q", 0.0, 1.0),)), "complete"),
    ],
)
def test_the_status_shows_how_complete_a_mark_is(student: StudentMark, expected: str) -> None:
    assert status(student) == expected


def test_a_class_without_students_has_only_headings(small_class: Callable[..., ClassMarks], exported: Export) -> None:
    nobody = ClassMarks("StreamLab", "lab01_wordcount", "Word count", "2026.1", 40.0, ())

    assert len(exported(nobody, "plain")) == 1
