"""Rebuilds a student's notebook on the released one, for nbgrader, the form grader and the feedback page.

The rebuilt notebook takes the sources of tasks and written answers, and added cells, from the student. It takes no
outputs, attachments or other metadata, so only text reaches the instructor's pages. The judge does not use it: it
reads the file as it was handed in.
"""

import copy
from collections.abc import Mapping

import nbformat
from nbformat import NotebookNode

from autograder.releases.notebook_with_answers import key_of, with_answers
from streamlab.notebooks.labfile import LabCell

SOURCE_CHARS_MAX = 200_000
ADDED_CELLS_MAX = 300


def rebuilt(released: NotebookNode, handed_in: list[LabCell]) -> NotebookNode:
    """Return the released notebook with the student's answers and the first 300 added cells in it."""
    notebook = with_answers(released, handed_in, ADDED_CELLS_MAX)
    for cell in notebook.cells:
        cell.source = _cut(cell.source)
    return notebook


def rejected(released: NotebookNode, why: str) -> NotebookNode:
    """Return the released notebook with a first cell that says why the student's could not be read."""
    notebook = copy.deepcopy(released)
    notebook.cells.insert(0, nbformat.v4.new_raw_cell(f"Not read: {why}", id="rejected"))
    return notebook


def with_open_questions(notebook: NotebookNode, why: Mapping[str | None, str]) -> NotebookNode:
    """Add a note to each question in `why`: nbgrader gives 0 points to a question that is as it was released."""
    for cell in notebook.cells:
        role, name = key_of(cell)
        if role == "written" and name in why:
            cell.source += f"\n\n**Note.** This question needs manual grading: {why[name]}."
    return notebook


def _cut(source: str) -> str:
    r"""Return at most 200,000 characters, with each half of a surrogate pair as its escape: UTF-8 cannot encode it.

    Example: _cut("so \ud83d") -> "so \\ud83d"
    """
    shown = source[:SOURCE_CHARS_MAX].encode("utf-8", "backslashreplace").decode("utf-8")
    return shown if len(source) <= SOURCE_CHARS_MAX else f"{shown}\n… ({len(source):,} characters in all)"
