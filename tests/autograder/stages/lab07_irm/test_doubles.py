"""Doubles in drives, handed in as the tasks that they replace: no check of Lab 7 passes."""

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
    assert passed(task, DOUBLES[task]) == []


@pytest.mark.parametrize("task", DOUBLES)
def test_the_reference_passes_every_check(task: str) -> None:
    assert passed(task, getattr(reference(LAB), task)) == [check.name for check in load_stage(LAB).of_task(task)]


def passed(task: str, double: Any) -> list[str]:
    """Return the checks that a double passes as the task."""
    load_drives(LAB)
    with reference(LAB).replaced(**{task: double}) as stage:
        return [check.name for check in load_stage(LAB).of_task(task) if passes(check, stage)]


def passes(check: Any, stage: Any) -> bool:
    rows = ((case, DRIVES[check.task](stage=stage, case=case, earlier=reference)) for case in check.cases("doubles"))
    return not any(check.judge(*each) for each in rows)
