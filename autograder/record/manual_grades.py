"""Saves points as nbgrader does, and requests manual grading again only for what has changed since.

nbgrader's SaveAutoGrades keeps manual grades, but marks all of them for another look after each grading run. Here, the
manual grade of a written answer is requested again if the text has changed, and that of a check if the judge's report
or points have. Checks that the judge could not decide need a manual grade, too.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import SaveAutoGrades

from autograder.classroom.folder import Classroom
from autograder.record.verdict_cells import EXTRA_CREDIT, OPEN


class SaveGrades(SaveAutoGrades):
    """SaveAutoGrades that recognizes answers and judged results which have not changed since the last grading run."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Save the points of all cells."""
        graded = resources["nbgrader"]
        path = answers_of(Classroom.of_this_kit(), graded["assignment"], graded["student"])
        self._before = _read(path)
        nb, resources = super().preprocess(nb, resources)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({_id(cell): _digest(cell) for cell in nb.cells if _id(cell)}, indent=1) + "\n")
        return nb, resources

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        grade = self.gradebook.find_grade(_id(cell), self.notebook_id, self.assignment_id, self.student_id)
        was_graded = grade.manual_score is not None and not grade.needs_manual_grade
        super()._add_score(cell, resources)
        if EXTRA_CREDIT in (about := cell.metadata.get("streamlab", {})) and not grade.max_score:
            grade.extra_credit = about[EXTRA_CREDIT]
            self.gradebook.db.commit()
        if was_graded and self._before.get(_id(cell)) == _digest(cell):
            grade.needs_manual_grade = False
            self.gradebook.db.commit()
        elif about.get(OPEN) and grade.max_score and grade.manual_score is None:
            grade.needs_manual_grade = True
            self.gradebook.db.commit()


def answers_of(classroom: Classroom, lab: str, student: str) -> Path:
    """Return the path of the digests of a student's answers and judged results at the last grading run."""
    return classroom.folder / "results" / lab / f"{student}.answers"


def _read(path: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found


def _id(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _digest(cell: NotebookNode) -> str:
    """Return the digest of what a manual grade is for: the text of an answer, or a check's report and points."""
    parts = [cell.source, *(json.dumps(output, sort_keys=True) for output in cell.get("outputs", []))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
