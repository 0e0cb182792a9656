"""Judge and record the tiny class, and grade by hand as the form grader does."""

from autograder.classroom.marks import StudentMark
from autograder.grading.class_grading import grade_class
from autograder.record.gradebook import Recorder
from tests.autograder.tiny_class import LAB, TinyClass


def judge(tiny_class: TinyClass) -> list[str]:
    """Judge all students without recording them; return the students."""
    return grade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None).students


def graded(tiny_class: TinyClass, recorder: Recorder) -> dict[str, StudentMark]:
    """Judge and record all students; return the marks by student."""
    for student in judge(tiny_class):
        recorder.record(LAB, student)
    return marks_by_student(recorder)


def marks_by_student(recorder: Recorder) -> dict[str, StudentMark]:
    """Return the marks in the gradebook by student."""
    return {each.student: each for each in recorder.marks(LAB).students}


def grade_manually(recorder: Recorder, student: str, points: float, cell: str = "written-why") -> None:
    """Record a manual grade as the form grader does when the instructor types one."""
    with recorder.open() as gradebook:
        grade = gradebook.find_grade(cell, LAB, LAB, student)
        grade.manual_score = points
        grade.needs_manual_grade = False
        gradebook.db.commit()
