"""Finds the students whose record and feedback are out of date, so that recording touches only what has changed.

After a student is recorded, results/LAB/STUDENT.recorded holds the digest of everything that the record and the
feedback page depend on: the kit's code, the released lab, the policy, the submission, its result, and the gradebook.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

import nbgrader

from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import policy_of
from autograder.judge.rests_on import LEFT_OUT, digest_of_files, files_below
from autograder.record.course_site import collected as records
from autograder.record.sources import source_notebook

CODE = (
    *(f"autograder/{package}/**/*" for package in ("builder", "classroom", "intake", "record", "releases", "report")),
    "nbgrader_config.py",
)
_ROWS = """
SELECT submission.student_id, cell.name, cell.type, points.max_score, grade.auto_score, grade.manual_score,
    grade.extra_credit, grade.needs_manual_grade, comment.auto_comment, comment.manual_comment,
    work.late_submission_penalty, submission.timestamp, submission.extension, assignment.duedate
FROM assignment
    JOIN submitted_assignment AS submission ON submission.assignment_id = assignment.id
    JOIN submitted_notebook AS work ON work.assignment_id = submission.id
    JOIN base_cell AS cell ON cell.notebook_id = work.notebook_id
    LEFT JOIN grade_cells AS points ON points.id = cell.id
    LEFT JOIN grade ON grade.cell_id = cell.id AND grade.notebook_id = work.id
    LEFT JOIN comment ON comment.cell_id = cell.id AND comment.notebook_id = work.id
WHERE assignment.name = ?1 AND (?2 IS NULL OR submission.student_id = ?2)
ORDER BY submission.student_id, cell.name, cell.type
"""
Rows = list[tuple[Any, ...]]


class RecordState:
    """What the records of one lab depend on. Create it after the lab was released: it reads the shared part once."""

    def __init__(self, classroom: Classroom, lab: str) -> None:
        self._classroom, self._lab = classroom, lab
        self._policy = policy_of(classroom)
        self._collected = records.load(classroom, lab)

    def out_of_date(self, students: Iterable[str]) -> list[str]:
        """Return the students who must be recorded."""
        rows = _rows_by_student(self._classroom, self._lab)
        return [each for each in students if not self._is_up_to_date(each, rows.get(each, []))]

    def digest_of(self, student: str) -> str:
        """Return the digest of everything that the student's record and feedback depend on now."""
        return self._digest(student, _rows_by_student(self._classroom, self._lab, student).get(student, []))

    def keep(self, student: str, digest: str) -> None:
        """Remember that record and feedback were written in the state `digest`."""
        self._path(student).write_text(f"{digest}\n", encoding="ascii")

    def _is_up_to_date(self, student: str, rows: Rows) -> bool:
        written = (
            self._classroom.folder / "autograded" / student / self._lab / f"{self._lab}.ipynb",
            self._classroom.feedback_of(self._lab, student) / f"{self._lab}.html",
        )
        path = self._path(student)
        is_complete = path.is_file() and all(each.is_file() for each in written)
        return is_complete and path.read_text(encoding="ascii").strip() == self._digest(student, rows)

    def _digest(self, student: str, rows: Rows) -> str:
        parts = (self._shared, *self._rules_for(student), *self._own(student), rows)
        return hashlib.sha256("\n".join(map(repr, parts)).encode("utf-8", "surrogateescape")).hexdigest()

    @cached_property
    def _shared(self) -> str:
        root, course = self._classroom.root, self._classroom.course
        source = source_notebook(self._classroom, self._lab)
        released = source.read_text(encoding="utf-8") if source.is_file() else ""
        about = (nbgrader.__version__, course.release, course.labs[self._lab].model_dump_json(), released)
        return digest_of_files(root, files_below(root, CODE, LEFT_OUT), "\n".join(about))

    def _rules_for(self, student: str) -> Iterator[object]:
        """Yield what the policy and the course site say about the student's work."""
        own, policy = (student, self._lab), self._policy
        yield policy.due.get(self._lab), policy.late, policy.extensions.get(own), own in policy.excused
        yield sorted((task, sorted(checks)) for task, checks in policy.ungraded.items())
        yield self._collected.get(student)

    def _own(self, student: str) -> Iterator[object]:
        """Yield the student's result, which names the digest of the notebook, and the files that were handed in."""
        yield self._classroom.results_of(self._lab, student).read_bytes()
        folder = self._classroom.submitted / student / self._lab
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                status = os.lstat(os.path.join(where, name))
                yield os.path.join(where, name), status.st_size, status.st_mtime_ns

    def _path(self, student: str) -> Path:
        return recorded_path(self._classroom, self._lab, student)


def recorded_path(classroom: Classroom, lab: str, student: str) -> Path:
    """Return the path of the digest of the state in which a student was recorded."""
    return classroom.folder / "results" / lab / f"{student}.recorded"


def _rows_by_student(classroom: Classroom, lab: str, student: str | None = None) -> dict[str, Rows]:
    """Return what the gradebook has for each student in `lab`, or for one student alone."""
    found: dict[str, Rows] = {}
    with closing(sqlite3.connect(classroom.gradebook)) as database:
        for row in database.execute(_ROWS, (lab, student)):
            found.setdefault(row[0], []).append(row)
    return found
