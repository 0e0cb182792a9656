"""The format that Canvas's gradebook imports: five columns that identify the student, and one for the assignment.

Canvas finds the assignment by the heading, so its title in Canvas must be the lab's title; an unknown column becomes
a new assignment. Canvas finds the student by ID (its own number), otherwise by SIS User ID, otherwise by SIS Login ID,
and shows every change before it applies it. An empty cell means "no grade": students whose work is not graded yet stay
ungraded, and the course's policy for missing work decides about students who handed in nothing. "EX" excuses a student.
The file has no byte order mark: Canvas reads UTF-8, and would take the mark for a part of the first heading.

Rules: https://community.instructure.com/en/kb/articles/660862-how-do-i-import-grades-in-the-gradebook and
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb
"""

from collections.abc import Iterator

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.grading.exports.sheet import Row, one_line

_HEADINGS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "Points Possible"  # in a row's first cell: the row holds the assignment's maximum


def rows(marks: ClassMarks) -> Iterator[Row]:
    """Yield the headings, the row with the maximum points, and one row for each student."""
    yield [*_HEADINGS, marks.lab_title]
    yield [_POINTS_POSSIBLE, None, None, None, None, marks.max_points]
    for student in marks.students:
        yield _row(student)


def _row(student: StudentMark) -> Row:
    number, sis_user_id = _ids(student.lms_id.strip())
    grade = "EX" if student.is_excused else None if student.results is None else student.points
    return [_name(student), number, sis_user_id, student.student, None, grade]


def _ids(lms_id: str) -> tuple[str, str]:
    """Return (ID, SIS User ID), one of them empty.

    Canvas reads a number out of any text in column ID: it takes "12b" for 12, which is another student's ID.

    Example: _ids("12b") -> ("", "12b")
    """
    is_number = lms_id.isascii() and lms_id.isdigit()
    return (lms_id, "") if is_number else ("", lms_id)


def _name(student: StudentMark) -> str:
    """Return "Last, First", or the id if the name is unknown; never the text that marks the row of points."""
    name = ", ".join(each for each in (student.last_name, student.first_name) if each.strip()) or student.student
    return one_line(name).replace(_POINTS_POSSIBLE, "Points_Possible")
