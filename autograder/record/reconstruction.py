"""Rebuilds a student's notebook on the released one, for nbgrader, the form grader and the feedback page.

The rebuilt notebook has every released cell once, in its order and with its released metadata. From the student it
takes the sources of tasks and written answers, and added cells. It takes no outputs, attachments or other metadata, so
only text reaches the instructor's pages. The judge does not use it: it reads the file as it was handed in.
"""

import copy

import nbformat
from nbformat import NotebookNode

from streamlab.notebooks.labfile import LabCell

OWN_ROLES = ("task", "written")
SOURCE_CHARS_MAX = 200_000
ADDED_CELLS_MAX = 300
PROSE = (None, None)
Key = tuple[str | None, str | None]


def rebuilt(released: NotebookNode, handed_in: list[LabCell]) -> NotebookNode:
    """Return the released notebook with the student's answers and added cells in it.

    If several cells of a task have the same name, the last one counts, as it does when a notebook runs. A written
    answer has all its cells, since JupyterLab's Split Cell gives every part the same name. The first 300 added cells
    are shown.
    """
    answers: dict[Key, list[str]] = {}
    for each in handed_in:
        if each.role in OWN_ROLES:
            answers.setdefault((each.role, each.name), []).append(each.source)
    added = _added_after(handed_in, released)
    notebook = copy.deepcopy(released)
    notebook.cells = added.get(PROSE, [])
    for cell in copy.deepcopy(released.cells):
        key = _key(cell)
        if key in answers:
            sources = answers[key]
            cell.source = _cut(_joined(sources, cell.source) if key[0] == "written" else sources[-1])
        notebook.cells += [cell, *(added.get(key, []) if key != PROSE else [])]
    return notebook


def rejected(released: NotebookNode, why: str) -> NotebookNode:
    """Return the released notebook with a first cell that says why the student's could not be read."""
    notebook = copy.deepcopy(released)
    notebook.cells.insert(0, nbformat.v4.new_raw_cell(f"Not read: {why}", id="rejected"))
    return notebook


def _added_after(handed_in: list[LabCell], released: NotebookNode) -> dict[Key, list[NotebookNode]]:
    """Return the cells that the student added, by the released cell with a role that they follow."""
    known = {_key(cell) for cell in released.cells} - {PROSE}
    prose = {cell.source.strip() for cell in released.cells if cell.cell_type == "markdown"}
    added: dict[Key, list[NotebookNode]] = {}
    after: Key = PROSE
    for cell in handed_in:
        if (cell.role, cell.name) in known:
            after = (cell.role, cell.name)
        elif cell.source.strip() and cell.source.strip() not in prose:
            number = sum(map(len, added.values()))
            if number < ADDED_CELLS_MAX:
                added.setdefault(after, []).append(_new_cell(cell, f"added-{number}"))
    return added


def _joined(sources: list[str], released: str) -> str:
    """Return a written answer in one piece, without copies of the released prompt unless nothing else was written."""
    own = [each for each in sources if each.strip() != released.strip()]
    return "\n\n".join(own) if own else released


def _new_cell(cell: LabCell, cell_id: str) -> NotebookNode:
    make = nbformat.v4.new_code_cell if cell.kind == "code" else nbformat.v4.new_markdown_cell
    return make(_cut(cell.source), id=cell_id)


def _key(cell: NotebookNode) -> Key:
    """Return the role and name of a cell; a cell of prose has neither."""
    ours = cell.metadata.get("streamlab", {})
    return ours.get("role"), ours.get("name")


def _cut(source: str) -> str:
    r"""Return at most 200,000 characters, with each half of a surrogate pair as its escape: UTF-8 cannot encode it.

    Example: _cut("so \ud83d") -> "so \\ud83d"
    """
    shown = source[:SOURCE_CHARS_MAX].encode("utf-8", "backslashreplace").decode("utf-8")
    return shown if len(source) <= SOURCE_CHARS_MAX else f"{shown}\n… ({len(source):,} characters in all)"
