"""Digests of the cells of tasks: they say whether a cell is still the one that was checked.

A digest covers the source of the task's own cell, without what editors change (white space at ends, kinds of spaces).
It covers no other cell, since a running notebook knows only what its functions were made of.
"""

import hashlib
import inspect
import linecache
from collections.abc import Iterable
from types import FunctionType
from typing import Any

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import is_cell
from streamlab.notebooks.recognition import plain

CELL = "cell"  # the key of a digest next to a task's verdicts in checked.json; no check has this name


def digest_of_source(source: str) -> str:
    """Return the digest of a cell's source."""
    return hashlib.sha256(plain(source).encode("utf-8", "replace")).hexdigest()


def task_cell_digests(cells: Iterable[LabCell]) -> dict[str, str]:
    """Return {task: digest} of recognized cells; if several cells define a task, the last one counts."""
    tasks = [cell for cell in cells if cell.kind == "code" and cell.role == "task" and cell.name]
    return {cell.name or "": digest_of_source(cell.source) for cell in tasks}


def live_digest(task: Any) -> str | None:
    """Return the digest of the executed cell that made a function or a class, or None if there is no single one."""
    files = {each.__code__.co_filename for each in _functions_of(task)}
    cells = {file for file in files if is_cell(file)}
    source = "".join(linecache.getlines(cells.pop())) if len(cells) == 1 else ""
    return digest_of_source(source) if source else None


def _functions_of(task: Any) -> list[FunctionType]:
    if not isinstance(task, type):
        return [each for each in [inspect.unwrap(task)] if isinstance(each, FunctionType)]
    members = (getattr(each, "fget", None) or getattr(each, "__func__", each) for each in vars(task).values())
    return [each for each in members if isinstance(each, FunctionType)]
