"""nbgrader's gradebook of the class: release a lab, record submissions, write feedback, read the marks.

nbgrader runs as a library in this process, and treats a submission as text: it runs none of its code.
"""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from nbgrader.api import Assignment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.apps import NbGraderAPI
from sqlalchemy.orm import selectinload, undefer
from traitlets.config import Config

from autograder.builder import SourceError
from autograder.classroom import cached_results
from autograder.classroom.folder import Classroom, HandedIn
from autograder.classroom.judged_points import total_of
from autograder.classroom.marks import ClassMarks, StudentMark, WrittenMark
from autograder.classroom.policy_file import policy_of
from autograder.course import Course
from autograder.judge.results import bonus_points, open_checks
from autograder.record.applied_policy import applied
from autograder.record.collection import collected_at, with_zone
from autograder.record.gradebook_file import require_usable
from autograder.record.settings import configure
from autograder.record.sources import refresh_source
from autograder.record.verdict_cells import points_of

WRITTEN, CHECK = "written-", "check-"
OTHER_CELLS = "Cannot add or remove cells"  # nbgrader logs this before a traceback without a reason
_ERROR = re.compile(r"\s*(?:\[\w+\] )?(?:\w+\.)*([A-Z]\w*: .+)")  # the last line of a traceback, without the module
_SAYS_NOTHING = "above traceback"


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
            try:
                refresh_source(self.classroom, lab)
            except SourceError as problem:
                raise NotRecorded(" ".join(str(problem).split())) from None
            self._must(self._api.generate_assignment(lab, force=True))

    def is_released(self, lab: str) -> bool:
        """Return whether the gradebook has the cells and points of `lab`."""
        with self.open() as gradebook:
            return any(each.name == lab for each in gradebook.assignments)

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
        """Open nbgrader's gradebook; raises `UnusableGradebook`."""
        require_usable(self.classroom.gradebook, to_write=False)
        with _quiet(), Gradebook(self.classroom.database, self._api.coursedir.course_id) as gradebook:
            yield gradebook

    def _must(self, outcome: dict[str, Any]) -> None:
        """Raise `NotRecorded` if nbgrader failed, and KeyboardInterrupt, which nbgrader catches, if it was stopped."""
        if not outcome["success"]:
            error = str(outcome.get("error") or "").splitlines()
            if error[-1:] == [KeyboardInterrupt.__name__]:
                raise KeyboardInterrupt
            require_usable(self.classroom.gradebook, to_write=True)
            raise NotRecorded(reason_in([*str(outcome.get("log") or "").splitlines(), *error]))


def reason_in(lines: list[str]) -> str:
    """Return why nbgrader failed: the last error in its log that gives a reason, otherwise the log's last two lines."""
    errors = [found[1] for line in lines if (found := _ERROR.match(line)) and _SAYS_NOTHING not in line]
    other_cells = [line.strip() for line in lines if OTHER_CELLS in line]
    last = [line.strip() for line in lines if line.strip()][-2:]
    return " ".join(other_cells[-1:] or errors[-1:] or last) or "nbgrader gave no reason"


def marks_of(gradebook: Gradebook, course: Course, lab: str, classroom: Classroom | None = None) -> ClassMarks:
    """Return the marks of all students in the gradebook or in submitted/, ordered by id.

    A mark is out of the points with which its result was judged; so are all others, if these are the same for everyone.
    """
    classroom = classroom or Classroom.of_this_kit()
    policy = policy_of(classroom)
    known = {student.id: student for student in gradebook.students}
    handed_in = {each.student: each for each in classroom.handed_in(lab)[0]}
    settings = policy.graded_course(course).labs[lab]
    ungraded = [
        _ungraded(name, settings.points, known.get(name), handed_in.get(name)) for name in sorted({*known, *handed_in})
    ]
    recorded = _submissions(gradebook, lab)
    marks = [_graded(mark, recorded.get(mark.student), classroom, lab) for mark in ungraded]
    totals = {each.max_points for each in marks if each.results is not None}
    total = totals.pop() if len(totals) == 1 else settings.points
    marks = [each if each.results is not None else replace(each, max_points=total) for each in marks]
    marks = [each.as_excused() if (each.student, lab) in policy.excused else each for each in marks]
    dropped = frozenset(f"{task}/{each}" for task in settings.tasks for each in policy.ungraded.get(task, ()))
    return ClassMarks(course.course, lab, settings.title, course.release, total, tuple(marks), dropped)


def _ungraded(name: str, max_points: float, student: Any, handed_in: HandedIn | None) -> StudentMark:
    """Return the mark of a student who is not graded yet; `student` is nbgrader's record, None if it has none."""
    return StudentMark(
        name,
        max_points,
        submitted_at=collected_at(handed_in.folder) if handed_in else None,
        first_name=(student and student.first_name) or "",
        last_name=(student and student.last_name) or "",
        email=(student and student.email) or "",
        lms_id=(student and student.lms_user_id) or "",
    )


def _submissions(gradebook: Gradebook, lab: str) -> dict[str, Any]:
    """Return the recorded submissions by student, in four queries: nbgrader makes twenty for each student."""
    grades = selectinload(SubmittedAssignment.notebooks).selectinload(SubmittedNotebook.grades)
    query = gradebook.db.query(SubmittedAssignment).join(Assignment).filter(Assignment.name == lab)
    loaded = (grades.undefer(Grade.max_score), grades.selectinload(Grade.cell))
    return {
        each.student_id: each for each in query.options(undefer(SubmittedAssignment.late_submission_penalty), *loaded)
    }


def _graded(mark: StudentMark, submission: Any, classroom: Classroom, lab: str) -> StudentMark:
    """Return the mark with results and points, unchanged if the results are not, or not all, in the gradebook."""
    found = cached_results.load(classroom.results_of(lab, mark.student))
    grades = [grade for each in submission.notebooks for grade in each.grades] if submission else []
    results = applied(classroom, lab, mark.student, found.results).results if found else {}
    if found is None or not _is_recorded(grades, results):
        return mark
    by_hand = [each for each in grades if each.name.startswith(WRITTEN) or _changed_since(each)]
    judged = [each for each in grades if each.name.startswith(CHECK) and not _changed_since(each)]
    return replace(
        mark,
        max_points=total_of(results) or mark.max_points,
        results=results,
        bonus_points=bonus_points(results),
        judged_points=round(sum(_score(each) or 0.0 for each in judged), 2),
        late_penalty=round(submission.late_submission_penalty or 0.0, 2),
        written=(*map(_written, by_hand), *_open(grades, results)),
        submitted_at=submission.timestamp and with_zone(submission.timestamp),
    )


def _is_recorded(grades: list[Any], results: dict[str, Any]) -> bool:
    """Return whether the gradebook has these results; if recording was stopped, it has older ones or none."""
    checks = [each for each in grades if each.name.startswith(CHECK)]
    return bool(checks) and all(
        each.auto_score == min(points_of(results, each.name.removeprefix(CHECK)), each.max_score) for each in checks
    )


def _written(grade: Any) -> WrittenMark:
    """Return the manual grade of a written question, or of a check whose judged result has changed since."""
    return WrittenMark(grade.name.removeprefix(WRITTEN), _score(grade), grade.max_score, _changed_since(grade))


def _open(grades: list[Any], results: dict[str, Any]) -> Iterator[WrittenMark]:
    """Yield the missing manual grade of each task with checks that the judge could not decide."""
    for each in grades:
        task, left = each.name.removeprefix(CHECK), open_checks(results)
        missing = sum(count for name, count in left.items() if name.startswith(f"{task}/"))
        if missing and each.max_score and each.name.startswith(CHECK) and each.manual_score is None:
            yield WrittenMark(task, None, missing)


def _changed_since(grade: Any) -> bool:
    """Return whether the answer, or the judged result of the check, has changed since somebody graded it."""
    return grade.manual_score is not None and bool(grade.needs_manual_grade)


def _score(grade: Any) -> float | None:
    """Return the manual grade, otherwise nbgrader's: 0 for an empty answer, None for an answer that needs grading."""
    score = grade.manual_score if grade.manual_score is not None else grade.auto_score
    return None if score is None else float(score) + float(grade.extra_credit or 0.0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the warnings that nbgrader's use of SQLAlchemy causes on every submission."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
