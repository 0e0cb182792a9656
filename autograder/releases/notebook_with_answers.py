"""Puts the answers and added cells of another copy of a notebook into a released one.

The result has every released cell once, in its order and with its metadata. It has no outputs and no attachments.
"""

import copy

import nbformat
from nbformat import NotebookNode

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.recognition import defined_names, plain

OWN_ROLES = ("task", "written")
PROSE = (None, None)
Key = tuple[str | None, str | None]


def with_answers(released: NotebookNode, cells: list[LabCell], added_max: int | None = None) -> NotebookNode:
    """Return the released notebook with the answers in `cells`, and with at most `added_max` of the added cells.

    If several cells define a task, the last one counts, as it does when a notebook runs. A written answer has all its
    cells, since JupyterLab's Split Cell gives every part the same name. An added cell follows the released cell with a
    role that it followed in `cells`.
    """
    answers: dict[Key, list[str]] = {}
    for each in cells:
        if each.role in OWN_ROLES:
            answers.setdefault((each.role, each.name), []).append(each.source)
    added = _added_after(cells, released, added_max)
    notebook = copy.deepcopy(released)
    notebook.cells = added.get(PROSE, [])
    for cell in copy.deepcopy(released.cells):
        key = key_of(cell)
        if key in answers:
            sources = answers[key]
            cell.source = _joined(sources, cell.source) if key[0] == "written" else _last(sources, cell.source, key[1])
        notebook.cells += [cell, *(added.get(key, []) if key != PROSE else [])]
    return notebook


def key_of(cell: NotebookNode) -> Key:
    """Return the role and name of a cell; a cell of prose has neither."""
    ours = cell.metadata.get("streamlab", {})
    return ours.get("role"), ours.get("name")


def _added_after(cells: list[LabCell], released: NotebookNode, added_max: int | None) -> dict[Key, list[NotebookNode]]:
    """Return the added cells, by the released cell with a role that they follow."""
    known = {key_of(cell) for cell in released.cells} - {PROSE}
    prose = {cell.source.strip() for cell in released.cells if cell.cell_type == "markdown"}
    added: dict[Key, list[NotebookNode]] = {}
    after: Key = PROSE
    number = 0
    for cell in cells:
        if (cell.role, cell.name) in known:
            after = (cell.role, cell.name)
        elif cell.source.strip() and cell.source.strip() not in prose and number != added_max:
            added.setdefault(after, []).append(_new_cell(cell, f"added-{number}"))
            number += 1
    return added


def _last(sources: list[str], stub: str, task: str | None) -> str:
    """Return the last source that defines the task, or else the last one; the stub only without any other."""
    own = [each for each in sources if plain(each) != plain(stub)] or [stub]
    return next((each for each in reversed(own) if task in defined_names(each)), own[-1])


def _joined(sources: list[str], released: str) -> str:
    """Return a written answer in one piece, without copies of the released prompt unless nothing else was written."""
    own = [each for each in sources if each.strip() != released.strip()]
    return "\n\n".join(own) if own else released


def _new_cell(cell: LabCell, cell_id: str) -> NotebookNode:
    make = nbformat.v4.new_code_cell if cell.kind == "code" else nbformat.v4.new_markdown_cell
    return make(cell.source, id=cell_id)
