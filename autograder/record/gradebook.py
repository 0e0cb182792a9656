"""nbgrader's gradebook of the class: release a lab, record submissions, write feedback, read the marks.

nbgrader runs as a library in this process, and treats a submission as text: it runs none of its code.
"""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder.classroom import cached_results
from autograder.classroom.folder import Classroom
from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark
from autograder.course import Course
from autograder.record.settings import configure

WRITTEN, CHECK = "written-", "check-"


class NotRecorded(RuntimeError):
    """Raised if nbgrader fails; the text is the end of its log."""


class Recorder:
    """nbgrader, used as a library, for one class."""

    def __init__(self, classroom: Classroom) -> None:
        self.classroom = classroom
        config = Config()
        configure(config, classroom)
        self._api = NbGraderAPI(config=config)
        self._api.log_level = logging.WARNING

    def release(self, lab: str) -> None:
        """Enter `lab`'s cells and points into the gradebook, and write release/LAB."""
        with _quiet():
            self._must(self._api.generate_assignment(lab, force=True))

    def record(self, lab: str, student: str) -> None:
        """Record one submission; manual grades are kept."""
        with _quiet():
            self._must(self._api.autograde(lab, student, force=True))

    def write_feedback(self, lab: str, student: str) -> None:
        """Write the student's feedback page."""
        with _quiet():
            self._must(self._api.generate_feedback(lab, student, force=True))

    def marks(self, lab: str) -> ClassMarks:
        """Return the marks of the class in `lab`."""
        with self.open() as gradebook:
            return marks_of(gradebook, self.classroom.course, lab, self.classroom)

    @contextmanager
    def open(self) -> Iterator[Gradebook]:
        """Open nbgrader's gradebook."""
        with _quiet(), Gradebook(self.classroom.database, self._api.coursedir.course_id) as gradebook:
            yield gradebook

    def _must(self, outcome: dict[str, Any]) -> None:
        if not outcome["success"]:
            lines = [*str(outcome.get("log") or "").splitlines(), *str(outcome.get("error") or "").splitlines()]
            raise NotRecorded(" ".join([line for line in lines if line.strip()][-2:]) or "nbgrader gave no reason")


def marks_of(gradebook: Gradebook, course: Course, lab: str, classroom: Classroom | None = None) -> ClassMarks:
    """Return the marks of all students in the gradebook or in submitted/, ordered by id."""
    classroom = classroom or Classroom.of_this_kit()
    known = {student.id: student for student in gradebook.students}
    handed_in, _ = classroom.handed_in(lab)
    names = sorted({*known, *(each.student for each in handed_in)})
    settings = course.labs[lab]
    marks = [_mark(gradebook, classroom, lab, name, known.get(name), settings.points) for name in names]
    return ClassMarks(course.course, lab, settings.title, course.release, settings.points, tuple(marks))


def _mark(
    gradebook: Gradebook, classroom: Classroom, lab: str, name: str, student: Any, max_points: float
) -> StudentMark:
    found = cached_results.load(classroom.results_of(lab, name))
    mark = StudentMark(
        name,
        max_points,
        results=found.results if found else None,
        first_name=(student and student.first_name) or "",
        last_name=(student and student.last_name) or "",
        email=(student and student.email) or "",
        lms_id=(student and student.lms_user_id) or "",
    )
    try:
        submission = gradebook.find_submission(lab, name)
    except MissingEntry:
        return mark
    grades = _grades(gradebook, lab, name)
    return replace(
        mark,
        judged_points=round(sum(_score(each) or 0.0 for each in grades if each.name.startswith(CHECK)), 2),
        late_penalty=round(submission.late_submission_penalty or 0.0, 2),
        written=tuple(_written(each) for each in grades if each.name.startswith(WRITTEN)),
        submitted_at=_with_zone(submission.timestamp),
    )


def _written(grade: Any) -> WrittenMark:
    changed = grade.manual_score is not None and grade.needs_manual_grade
    return WrittenMark(grade.name.removeprefix(WRITTEN), _score(grade), grade.max_score, changed)


def _score(grade: Any) -> float | None:
    """Return the manual grade, otherwise nbgrader's: 0 for an empty answer, None for an answer that needs grading."""
    score = grade.manual_score if grade.manual_score is not None else grade.auto_score
    return None if score is None else float(score) + float(grade.extra_credit or 0.0)


def _grades(gradebook: Gradebook, lab: str, student: str) -> list[Any]:
    """Return all grades of one submission in the order of the notebook's cells; [] if nothing was recorded."""
    try:
        return list(gradebook.find_submission_notebook(lab, lab, student).grades)
    except MissingEntry:
        return []


def _with_zone(moment: Any) -> Any:
    """Return a time with its zone; nbgrader stores UTC without one."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the warnings that nbgrader's use of SQLAlchemy causes on every submission."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
