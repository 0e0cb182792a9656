"""The Moodle format has what Moodle's importer needs: columns that identify the student, and a grade or "-"."""

from collections.abc import Callable

from autograder.classroom.marks import ClassMarks

Export = Callable[[ClassMarks, str], list[list[str]]]


def test_headings_are_those_of_moodle_and_the_title_of_the_lab(
    small_class: Callable[..., ClassMarks], exported: Export
) -> None:
    assert exported(small_class(), "moodle")[0] == [
        *("First name", "Last name", "Username", "ID number", "Email address"),
        "Word count on a socket",
    ]


def test_a_student_can_be_found_in_three_ways(small_class: Callable[..., ClassMarks], exported: Export) -> None:
    assert exported(small_class(), "moodle")[1] == ["Ána", "Núñez", "ana", "4711", "ana@example.org", "35"]


def test_an_absent_student_has_the_sign_of_moodle_for_no_grade(
    small_class: Callable[..., ClassMarks], exported: Export
) -> None:
    assert [row[-1] for row in exported(small_class(), "moodle")[1:]] == ["35", "12", "-"]
