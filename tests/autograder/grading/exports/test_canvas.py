"""The Canvas format has what Canvas's importer needs: headings, the row of points, a way to find each student."""

from collections.abc import Callable

import pytest

from autograder.classroom.marks import ClassMarks, StudentMark

Export = Callable[[ClassMarks, str], list[list[str]]]
Class = Callable[..., ClassMarks]


def test_the_headings_are_those_of_canvas_and_the_title_of_the_lab(small_class: Class, exported: Export) -> None:
    marks = small_class(title='Word count, "live"')

    assert exported(marks, "canvas")[0] == [
        *("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
        'Word count, "live"',
    ]


def test_the_second_row_holds_the_maximum_points_of_the_lab(small_class: Class, exported: Export) -> None:
    assert exported(small_class(), "canvas")[1] == ["Points Possible", "", "", "", "", "40"]


@pytest.mark.parametrize(
    ("lms_id", "found_by"),
    [
        ("4711", ["4711", ""]),
        (" 4711 ", ["4711", ""]),
        ("12b", ["", "12b"]),  # Canvas would read this as 12
        ("٣", ["", "٣"]),  # a digit, but not one that Canvas reads
        ("", ["", ""]),
    ],
)
def test_only_a_number_is_written_into_the_id_column(
    lms_id: str, found_by: list[str], small_class: Class, exported: Export
) -> None:
    row = exported(small_class(StudentMark("ana", 40.0, lms_id=lms_id)), "canvas")[2]

    assert row[1:4] == [*found_by, "ana"]


def test_an_absent_student_has_no_grade_and_0_points_are_a_grade(small_class: Class, exported: Export) -> None:
    rows = exported(small_class(StudentMark("absent", 40.0), StudentMark("zero", 40.0, results={})), "canvas")

    assert [row[-1] for row in rows[2:]] == ["", "0"]


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [("Ána", "Núñez", "Núñez, Ána"), ("", "Núñez", "Núñez"), ("Ána", " ", "Ána"), ("", "", "ana")],
)
def test_a_name_comes_last_name_first(first: str, last: str, shown: str, small_class: Class, exported: Export) -> None:
    student = StudentMark("ana", 40.0, first_name=first, last_name=last)

    assert exported(small_class(student), "canvas")[2][0] == shown


@pytest.mark.parametrize("name", ["Points Possible", "x Points \n Possible"])
def test_no_name_can_be_mistaken_for_the_row_of_points(name: str, small_class: Class, exported: Export) -> None:
    rows = exported(small_class(StudentMark("ana", 40.0, last_name=name), StudentMark(name, 40.0)), "canvas")

    assert [("Points Possible" in row[0]) for row in rows] == [False, True, False, False]
