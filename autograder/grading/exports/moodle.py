"""The format that Moodle's gradebook imports: columns that identify the student, and one with the grade.

The import asks which column identifies the student ("Email address" to useremail, "ID number" to useridnumber,
"Username" to username) and which grade item the grades belong to. Create the item first, with the lab's maximum: an
item that the import creates has a maximum of 100. "-" is Moodle's sign for "no grade": students who handed in
nothing, and those whose work is not graded yet, stay ungraded. Moodle needs no byte order mark.

Rules: https://docs.moodle.org/en/Grade_import
"""

from collections.abc import Iterator

from autograder.classroom.marks import ClassMarks
from autograder.grading.exports.sheet import Row

_HEADINGS = ("First name", "Last name", "Username", "ID number", "Email address")
_NO_GRADE = "-"


def rows(marks: ClassMarks) -> Iterator[Row]:
    """Yield the headings, and one row for each student."""
    yield [*_HEADINGS, marks.lab_title]
    for each in marks.students:
        grade = each.points if each.results is not None else _NO_GRADE
        yield [each.first_name, each.last_name, each.student, each.lms_id, each.email, grade]
