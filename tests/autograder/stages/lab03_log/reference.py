"""Loads the reference of Lab 3 without a Spark session, and drives it with one case."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any

import streamlab
from autograder.inside import DRIVES, load_drives
from streamlab.notebooks.labfile import LabCell, read_lab
from streamlab.notebooks.loader import Stage, load_cells

LAB = "lab03_log"
SOURCE = Path(__file__).resolve().parents[4] / "solutions" / LAB / f"{LAB}.py"


def stage_of(cells: list[LabCell], name: str) -> Stage:
    """Return the stage that some cells define; they get no Spark session, and other processes receive it by value."""
    from pyspark import cloudpickle

    load_drives(LAB)
    before = vars(streamlab).get("session")
    vars(streamlab)["session"] = lambda *_, **__: None
    try:
        stage = load_cells(LAB, cells, module_name=name)
    finally:
        vars(streamlab).pop("session") if before is None else vars(streamlab).update(session=before)
    assert not stage.errors
    cloudpickle.register_pickle_by_value(importlib.import_module(name))
    return stage


@cache
def reference() -> Stage:
    """Return the reference."""
    return stage_of(read_lab(SOURCE).cells, "reference_of_lab03")


def with_code(code: str, name: str) -> Stage:
    """Return the reference followed by other definitions."""
    more = LabCell(kind="code", role=None, name=None, source=code, id="more")
    return stage_of([*read_lab(SOURCE).cells, more], name)


def rows_of(task: str, case: dict[str, Any], stage: Stage | None = None, **more: Any) -> dict[str, Any]:
    """Return the rows that the drive of a task yields for a case."""
    return DRIVES[task](stage=stage or reference(), case=case, **more)
