"""The plain format: all known data, one row for each student, for spreadsheets and scripts.

The file has a byte order mark, since most people open it in Excel, which misreads accents without one.
"""

from collections.abc import Iterator

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.grading.exports.sheet import Row

_BEFORE = ("student", "last_name", "first_name", "email", "submitted_at", "judged")
_AFTER = ("bonus", "late_penalty", "total", "max", "needs_manual_grade", "status")


def rows(marks: ClassMarks) -> Iterator[Row]:
    """Yield the headings, and one row for each student; what is not graded is an empty cell.

    A check whose manual grade is older than its judged result has a column, too, named as in the form grader.
    """
    questions = list(dict.fromkeys(each.question for student in marks.students for each in student.written))
    yield [*_BEFORE, *questions, *_AFTER]
    for student in marks.students:
        yield _row(student, questions)


def _row(student: StudentMark, questions: list[str]) -> Row:
    manual_points = {each.question: each.points for each in student.written}
    ungraded = student.is_not_graded_yet
    submitted_at = student.submitted_at.isoformat(timespec="seconds") if student.submitted_at else None
    return [
        student.student,
        student.last_name,
        student.first_name,
        student.email,
        submitted_at,
        None if ungraded else student.judged_points,
        *(manual_points.get(each) for each in questions),
        None if ungraded else student.bonus_points,
        None if ungraded else student.late_penalty,
        None if ungraded else student.points,
        student.max_points,
        "yes" if student.needs_manual_grade else "no",
        status(student),
    ]


def status(student: StudentMark) -> str:
    """Return the grading status of a student's mark.

    Example: status(StudentMark("ana", max_points=40)) -> "nothing handed in"
    """
    if student.is_excused:
        return "excused"
    if student.results is None:
        return "not graded yet" if student.is_not_graded_yet else "nothing handed in"
    return "needs a manual grade" if student.needs_manual_grade else "complete"
