"""Doubles in drives, handed in as the tasks that they replace: no check of Lab 7 passes."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks.registry import load_stage
from autograder.inside import DRIVES, load_drives
from autograder.stages.lab07_irm.manager.drive_stubs import Halves, LargestShare, WorstFit
from autograder.stages.lab07_irm.messages.drive import FirstIdle
from tests.autograder.stages.driven_reference import reference

LAB = "lab07_irm"
DOUBLES = {"FirstFit": WorstFit, "Profiler": LargestShare, "Predictor": Halves, "Registry": FirstIdle}


@pytest.mark.parametrize("task", DOUBLES)
def test_a_double_passes_no_check_of_its_task(task: str) -> None:
    load_drives(LAB)
    stage: Any = SimpleNamespace(**{task: DOUBLES[task]}, replaced=lambda **_: nullcontext())

    for check in load_stage(LAB).of_task(task):
        rows = ((case, DRIVES[task](stage=stage, case=case, earlier=reference)) for case in check.cases("doubles"))
        assert any(check.judge(*each) for each in rows), check.name
