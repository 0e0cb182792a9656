"""Reads a learner's notebook of an older release and says what each cell is: the kit's, an answer, or added."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict, writes
from nbgrader.utils import compute_checksum

from autograder.releases.notebook_with_answers import OWN_ROLES, PROSE, key_of
from streamlab.notebooks.labfile import LabCell, lab_of_bytes, raw_notebook
from streamlab.notebooks.recognition import LOCKED, recognized


@dataclass(frozen=True)
class OldCell:
    """A cell of an older notebook; `is_untouched` says whether it is as it was released, None if that is not known."""

    cell: LabCell
    is_untouched: bool | None = None


@dataclass(frozen=True)
class OldNotebook:
    """A learner's notebook of an older release: the answers, the added cells, and the kit's cells that still exist.

    `changed` has the labels of the kit's own cells that the learner changed.
    """

    lab: str | None
    release: str | None
    cells: list[OldCell]
    changed: list[str]


def read_old(content: bytes, path: Path, released: NotebookNode) -> OldNotebook:
    """Read the bytes of `path`; cells of the kit that `released` does not have are left out.

    Raises UnreadableLab if the file is damaged.
    """
    file = lab_of_bytes(content, path)
    raw_cells = [each for each in raw_notebook(content, path.name)["cells"] if isinstance(each, dict)]
    kit = lab_of_bytes(writes(released).encode(), path).cells
    cells = [
        OldCell(cell, _is_untouched(raw, cell))
        for raw, cell in zip(raw_cells, recognized(file.cells, kit), strict=True)
    ]
    changed = [
        f"{each.cell.role}-{each.cell.name}"
        for each in cells
        if each.cell.role in LOCKED and each.is_untouched is False
    ]
    return OldNotebook(file.lab, file.release, list(_still_known(cells, released)), changed)


def _still_known(cells: list[OldCell], released: NotebookNode) -> Iterator[OldCell]:
    """Yield the cells without those of the kit that do not exist any more; a task that is text is an added cell."""
    known = {key_of(cell) for cell in released.cells}
    prose = {_first_line(cell.source) for cell in released.cells if cell.cell_type == "markdown"}
    for each in cells:
        cell = each.cell
        is_kits = each.is_untouched or cell.id.startswith("prose-") or _first_line(cell.source) in prose
        if cell.role == "task" and cell.kind != "code":
            yield replace(each, cell=replace(cell, role=None, name=None))
        elif cell.role in OWN_ROLES or (cell.role, cell.name) in known - {PROSE} or not (cell.role or is_kits):
            yield each


def _first_line(source: str) -> str:
    return source.strip().partition("\n")[0]


def _is_untouched(raw: dict[str, Any], cell: LabCell) -> bool | None:
    """Return whether nbgrader's checksum in a cell's metadata is that of the cell; None for a cell without one."""
    node = from_dict({"cell_type": raw.get("cell_type"), "metadata": raw.get("metadata"), "source": cell.source})
    try:
        return bool(compute_checksum(node) == node.metadata.nbgrader.checksum)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
