"""Drives a few lines of a learner's code with one case, as a sandbox does."""

from typing import Any

from autograder.inside import DRIVES, load_drives
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import send_by_value

LAB = "lab02_windows"
load_drives(LAB)


def stage_of(code: str) -> Stage:
    """Return the stage with the tasks that `code` defines."""
    cell = LabCell(kind="code", role=None, name=None, source=code, id="1")
    stage = load_cells(LAB, [cell], module_name="stage_under_test")
    assert not stage.errors
    send_by_value("stage_under_test")
    return stage


def rows_of(task: str, code: str, case: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the rows that the drive of `task` yields for one case."""
    return DRIVES[task](stage=stage_of(code), case=case, **more)
