"""The feedback for a student as a notebook: the graded one, with points and comments above each task and question.

Canvas shows a returned file under the name of the file that the student handed in, so a page would be called
`lab.ipynb`, and Jupyter could not open it.
"""

from collections.abc import Iterator
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.classroom.folder import Classroom
from autograder.report.number_formats import points as as_points

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def feedback_notebook(classroom: Classroom, gradebook: Gradebook, lab: str, student: str) -> bytes | None:
    """Return the notebook, or None if the student's work was not recorded."""
    path = classroom.folder / "autograded" / student / lab / f"{lab}.ipynb"
    if not path.is_file():
        return None
    graded = nbformat.read(path, as_version=4)
    submission = gradebook.find_submission_notebook(lab, lab, student)
    grades = {each.name: each for each in submission.grades if each.max_score}
    comments = {each.name: each.comment for each in submission.comments if each.comment}
    cells = [_overview(lab, submission, grades, comments)]
    for cell in graded.cells:
        cells += _with_feedback(cell, grades, comments)
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"feedback-{number}"
    return nbformat.writes(notebook).encode()


def _overview(lab: str, submission: Any, grades: dict[str, Any], comments: dict[str, str]) -> NotebookNode:
    penalty = submission.late_submission_penalty or 0.0
    total = max(0.0, submission.score - penalty)
    lines = [f"# {lab}: {as_points(total)} of {as_points(submission.max_score)} points", ""]
    lines += [f"- {_line(grade)}{' (with a comment)' * (name in comments)}" for name, grade in grades.items()]
    lines += [f"- Late submission: −{as_points(penalty)} points"] * bool(penalty)
    return nbformat.v4.new_markdown_cell("\n".join(lines))


def _with_feedback(cell: NotebookNode, grades: dict[str, Any], comments: dict[str, str]) -> Iterator[NotebookNode]:
    name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    parts = [f"**{_line(grades[name])}**"] if name in grades else []
    parts += [f"Comment: {comments[name]}"] if name in comments else []
    if parts:
        yield nbformat.v4.new_markdown_cell("\n\n".join(parts))
    yield NotebookNode({**cell, "metadata": NotebookNode()})


def _line(grade: Any) -> str:
    """Return one line. Example: "words: 3 of 4 points"."""
    kind, _, name = grade.name.partition("-")
    what = f"`{name}`" if kind == "check" else f"Question “{name.replace('_', ' ')}”"
    waits = ", needs manual grading" if grade.needs_manual_grade else ""
    return f"{what}: {as_points(grade.score)} of {as_points(grade.max_score)} points{waits}"
