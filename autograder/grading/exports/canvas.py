"""The format that Canvas's gradebook imports: five columns that say who it is, then one for the assignment.

Canvas finds the assignment by the heading, so its title in Canvas must be the lab's title; a column that it does
not know becomes a new assignment. It finds the student by ID (Canvas's own number), else by SIS User ID, else by
SIS Login ID, and shows every change before it makes it. An empty cell is "no grade": who handed in nothing gets
what the course's policy for missing work says. There is no byte order mark: Canvas reads UTF-8, and would take the
mark for a part of the first heading.

Rules: https://community.instructure.com/en/kb/articles/660862-how-do-i-import-grades-in-the-gradebook and
https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb
"""

from collections.abc import Iterator

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.grading.exports.sheet import Row, one_line

BYTE_ORDER_MARK = False
_HEADINGS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "Points Possible"  # a row whose first cell holds this says what the assignment is worth


def rows(marks: ClassMarks) -> Iterator[Row]:
    """Headings, what the assignment is worth, then one row for each student."""
    yield [*_HEADINGS, marks.lab_title]
    yield [_POINTS_POSSIBLE, None, None, None, None, marks.max_points]
    for student in marks.students:
        yield _row(student)


def _row(student: StudentMark) -> Row:
    number, sis_user_id = _ids(student.lms_id.strip())
    grade = None if student.results is None else student.points
    return [_name(student), number, sis_user_id, student.student, None, grade]


def _ids(lms_id: str) -> tuple[str, str]:
    """(ID, SIS User ID): Canvas reads a number out of any text under ID, "12b" as 12, which is somebody else.

    Example: _ids("12b") -> ("", "12b")
    """
    is_number = lms_id.isascii() and lms_id.isdigit()
    return (lms_id, "") if is_number else ("", lms_id)


def _name(student: StudentMark) -> str:
    """ "Last, First", or the id where there is no name; never what Canvas would take for the row of points."""
    name = ", ".join(each for each in (student.last_name, student.first_name) if each.strip()) or student.student
    return one_line(name).replace(_POINTS_POSSIBLE, "Points_Possible")
