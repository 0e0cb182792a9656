"""Drives a lab's reference in this process, for tasks without Spark and services; and reads a lab's drives."""

import ast
import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import streamlab
from autograder.checks import Rows
from autograder.inside import DRIVES, load_drives
from autograder.verify.bench import starts_servers
from streamlab.notebooks.labfile import LabCell, read_lab
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import send_by_value

ROOT = Path(__file__).resolve().parents[3]
STAGES = ROOT / "autograder" / "stages"


@cache
def reference_rows(lab: str, task: str, case: str) -> Rows:
    """Return the rows that a task's drive yields for a case (given as JSON), as the judge would read them."""
    with tempfile.TemporaryDirectory() as scratch:
        rows = DRIVES[task](stage=reference(lab), case=json.loads(case), scratch=Path(scratch), earlier=reference)
    rows_as_read: Rows = json.loads(json.dumps(rows))
    return rows_as_read


@cache
def reference(lab: str) -> Stage:
    """Return the reference of a lab, loaded without a Spark session."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(streamlab), "session", lambda *_, **__: None)
        patch.setitem(vars(streamlab), "stage", reference)
        stage = load_cells(lab, cells_of(lab), module_name=f"reference_of_{lab}")
    assert not stage.errors, [each.sentence() for each in stage.errors]
    send_by_value(f"reference_of_{lab}")
    return stage


@cache
def cells_of(lab: str) -> list[LabCell]:
    """Return the cells of a lab's reference."""
    return read_lab(ROOT / "solutions" / lab / f"{lab}.py").cells


@cache
def is_plain(lab: str, task: str) -> bool:
    """Return whether a task can be driven in this process, with neither Spark nor a service."""
    load_drives(lab)
    if task not in DRIVES:
        return False
    return not DRIVES[task].needs_spark and not starts_servers(task)


@cache
def fields_of(lab: str, task: str) -> list[str]:
    """Return the possible field names of a task's rows: each key that a drive module of its group writes."""
    trees = [tree for path, tree in drive_modules(lab).items() if path.parent == file_of_drive(task).parent]
    keys = (key for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys)
    names = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return sorted(names - {"rejected", "returned"})


@cache
def drive_modules(lab: str) -> dict[Path, ast.Module]:
    """Return the drive modules of a lab, which the sandbox receives, as syntax trees."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in (STAGES / lab).glob("*/drive*.py")}


def file_of_drive(task: str) -> Path:
    """Return the module that defines a task's drive."""
    return Path(DRIVES[task].run.__code__.co_filename)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full name of each import, at any level of a module: "autograder.inside.rows.plain"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{each.name}" for each in node.names)


def replaced(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """Return `value` with the part at `path` replaced by `odd`; all other parts are shared with `value`."""
    if not path:
        return odd
    copied = value.copy()
    copied[path[0]] = replaced(value[path[0]], path[1:], odd)
    return copied


def paths_in(value: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value inside `value`, outer values first."""
    level: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    while level:
        inner = []
        for path, each in level:
            steps = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
            inner += [((*path, step), part) for step, part in steps]
        yield from (path for path, _ in inner)
        level = inner


class RecordingRows(dict[str, Any]):
    """Rows that record which of their fields are read."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self.read: set[str] = set()

    def __getitem__(self, field: str) -> Any:
        self.read.add(field)
        return super().__getitem__(field)

    def get(self, field: str, default: Any = None) -> Any:
        """Return the field's value or the default, as `dict.get` does."""
        self.read.add(field)
        return super().get(field, default)
