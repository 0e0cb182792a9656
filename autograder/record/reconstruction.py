"""A student's notebook, rebuilt on the released one: what nbgrader, the form grader and feedback get to read.

Every released cell is there, once, in its order and with its released metadata; of the student come the sources of
tasks and written answers, and added cells. Outputs, attachments and foreign metadata do not come along, so that
nothing but text reaches the instructor's pages. Keeps out: judging, which reads the file as it was handed in.
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
    """The released notebook with the student's answers and added cells in it.

    Of several cells with one name the last counts, as it does when a notebook is run. Of added cells the first
    300 are shown.
    """
    answers: dict[Key, LabCell] = {(cell.role, cell.name): cell for cell in handed_in if cell.role in OWN_ROLES}
    added = _added_behind(handed_in, released)
    notebook = copy.deepcopy(released)
    notebook.cells = added.get(PROSE, [])
    for cell in copy.deepcopy(released.cells):
        key = _key(cell)
        answer = answers.get(key)
        if answer is not None:
            cell.source = _cut(answer.source)
        notebook.cells += [cell, *(added.get(key, []) if key != PROSE else [])]
    return notebook


def rejected(released: NotebookNode, why: str) -> NotebookNode:
    """The released notebook with a first cell that says why the student's could not be read."""
    notebook = copy.deepcopy(released)
    notebook.cells.insert(0, nbformat.v4.new_raw_cell(f"Not read: {why}", id="rejected"))
    return notebook


def _added_behind(handed_in: list[LabCell], released: NotebookNode) -> dict[Key, list[NotebookNode]]:
    """Cells that the learner added, by the last released cell with a role in front of them."""
    known = {_key(cell) for cell in released.cells} - {PROSE}
    prose = {cell.source.strip() for cell in released.cells if cell.cell_type == "markdown"}
    added: dict[Key, list[NotebookNode]] = {}
    behind: Key = PROSE
    for cell in handed_in:
        if (cell.role, cell.name) in known:
            behind = (cell.role, cell.name)
        elif cell.source.strip() and cell.source.strip() not in prose:
            number = sum(map(len, added.values()))
            if number < ADDED_CELLS_MAX:
                added.setdefault(behind, []).append(_new_cell(cell, f"added-{number}"))
    return added


def _new_cell(cell: LabCell, cell_id: str) -> NotebookNode:
    make = nbformat.v4.new_code_cell if cell.kind == "code" else nbformat.v4.new_markdown_cell
    return make(_cut(cell.source), id=cell_id)


def _key(cell: NotebookNode) -> Key:
    """Role and name; a cell of prose has neither."""
    about = cell.metadata.get("streamlab", {})
    return about.get("role"), about.get("name")


def _cut(source: str) -> str:
    if len(source) <= SOURCE_CHARS_MAX:
        return source
    return source[:SOURCE_CHARS_MAX] + f"\n… ({len(source):,} characters in all)"
