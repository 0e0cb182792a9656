"""Reads a learner's notebook of an older release and says what each cell is: the kit's, an answer, or added.

A cell is recognized by its metadata, otherwise by its id or nbgrader's, otherwise by what it defines, checks or begins
with, since some editors remove metadata and ids.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict
from nbgrader.utils import compute_checksum

from autograder.releases.notebook_with_answers import OWN_ROLES, PROSE, Key, key_of
from autograder.releases.stubs import defined_names
from streamlab.notebooks.labfile import LabCell, lab_of_bytes

OF_THE_KIT = ("given", "show", "check")
_KIT_ID = re.compile(r"(given|task|show|check|written|prose)-(\w+)")
_CHECK = re.compile(r"""check\(\s*["'](\w+)["']\s*\)""")


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
    raw_cells = [each for each in json.loads(content.decode("utf-8-sig"))["cells"] if isinstance(each, dict)]
    cells = [OldCell(cell, _is_untouched(raw, cell)) for raw, cell in zip(raw_cells, file.cells, strict=True)]
    keys = [_marked_key(raw, each.cell) for raw, each in zip(raw_cells, cells, strict=True)]
    pairs = list(zip(cells, keys, strict=True))
    changed = [
        f"{key[0]}-{key[1]}" for each, key in pairs if key and key[0] in OF_THE_KIT and each.is_untouched is False
    ]
    return OldNotebook(file.lab, file.release, list(_recognized(pairs, released)), changed)


def _recognized(pairs: list[tuple[OldCell, Key | None]], released: NotebookNode) -> Iterator[OldCell]:
    """Yield the cells with their roles and names, without cells of the kit that do not exist any more."""
    known = {key_of(cell) for cell in released.cells}
    shown = {cell.source.strip(): key_of(cell) for cell in released.cells if key_of(cell)[0] == "show"}
    marked = {key for _, key in pairs if key}
    for each, key in pairs:
        role, name = key or _key_by_content(each.cell, released, marked)
        if role == "show":  # these are numbered, so the name may be that of another cell now
            role, name = shown.get(each.cell.source.strip(), ("show", None))
        if role in OWN_ROLES or (role, name) == PROSE or (role, name) in known:
            yield replace(each, cell=replace(each.cell, role=role, name=name))


def _marked_key(raw: dict[str, Any], cell: LabCell) -> Key | None:
    """Return role and name by the metadata, the id or nbgrader's id; None for a cell that has none of these."""
    nbgrader = _dict(_dict(raw.get("metadata")).get("nbgrader"))
    ids = [_KIT_ID.fullmatch(str(each)) for each in (cell.id, nbgrader.get("grade_id"))]
    key = (cell.role, cell.name) if cell.role and cell.name else None
    key = key or next(((found[1], found[2]) for found in ids if found), None)
    return None if key and key[0] == "task" and cell.kind != "code" else key


def _key_by_content(cell: LabCell, released: NotebookNode, marked: set[Key]) -> Key:
    """Return role and name by what the cell defines, checks or begins with; PROSE for an added cell.

    Of a task or question with a marked cell, another cell is one that the learner added. If there are marks on other
    cells of a role, a cell without a mark is the kit's only if its whole source is.
    """
    source, roles = cell.source.strip(), {role for role, _ in marked}
    if cell.kind == "code" and (checked := _CHECK.fullmatch(source)):
        return "check", checked[1]
    defined = defined_names(source) if cell.kind == "code" else set()
    for each in released.cells:
        role, name = key_of(each)
        if (role, name) in marked or (each.cell_type == "code") != (cell.kind == "code"):
            continue
        begins = role == "written" or (role or "prose") not in roles
        if name in defined if role == "task" else _is_alike(source, each.source.strip(), begins):
            return role or "prose", name
    return PROSE


def _is_alike(source: str, released: str, begins: bool) -> bool:
    """Return whether a cell is a released one or, with `begins`, has the same first line, which must not be code."""
    first = released.partition("\n")[0]
    is_text = bool(first) and not first.startswith(("import ", "from "))
    return source == released or (begins and is_text and source.partition("\n")[0] == first)


def _is_untouched(raw: dict[str, Any], cell: LabCell) -> bool | None:
    """Return whether nbgrader's checksum in a cell's metadata is that of the cell; None for a cell without one."""
    node = from_dict({"cell_type": raw.get("cell_type"), "metadata": raw.get("metadata"), "source": cell.source})
    try:
        return bool(compute_checksum(node) == node.metadata.nbgrader.checksum)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
