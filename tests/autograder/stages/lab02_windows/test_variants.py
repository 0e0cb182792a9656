"""Mutants and alternatives of Lab 2: each check has a mutant, each task two other right solutions.

Those that need no Spark are driven here; `./lab verify` drives them all.
"""

from pathlib import Path
from typing import Any

import pytest

import autograder.stages.lab02_windows.drive  # noqa: F401 (registers the drives)
from autograder.checks import Check
from autograder.inside import DRIVES
from autograder.stages.lab02_windows import oracle
from autograder.verify.variants import Variant
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells
from tests.autograder.stages.lab02_windows.rows_by_hand import (
    CHECKS,
    LAB,
    STAGE,
)

FOLDER = Path(oracle.__file__).parent
THROUGHPUT = {throughput.name for throughput in STAGE.throughput_checks}
WITHOUT_SPARK = ("SlidingSum", "SlidingMax", "tweet_text", "near", "hashtags", "trending")
GIVEN = """
from collections import namedtuple
Place = namedtuple("Place", "name west south east north")
"""


def test_every_check_and_race_has_a_mutant_and_every_mutant_names_checks_of_its_task() -> None:
    mutants = read_variants(FOLDER / "mutants")
    names = {task: {check.name for check in STAGE.of_task(task)} for task in {check.task for check in STAGE.checks}}

    assert set.union(*(set(mutant.killed_by) for mutant in mutants)) == set(CHECKS) | THROUGHPUT
    assert all(mutant.killed_by <= names[mutant.task] | THROUGHPUT for mutant in mutants)


def test_every_task_has_two_alternatives() -> None:
    tasks = [alternative.task for alternative in read_variants(FOLDER / "alternatives")]

    assert all(tasks.count(check.task) >= 2 for check in STAGE.checks)


def stage_of(code: str) -> Stage:
    sources = [GIVEN, code]
    cells = [LabCell(kind="code", role=None, name=None, source=each, id=str(at)) for at, each in enumerate(sources)]
    return load_cells(LAB, cells, module_name="stage_under_test")


def caught_by(variant: Variant) -> set[str]:
    stage, drive = stage_of(variant.code), DRIVES[variant.task]

    def fails(check: Check, case: dict[str, Any]) -> bool:
        try:
            return check.judge(case, drive(stage=stage, case=case)) is not None
        except Exception:
            return True  # the judge gives such a case the verdict error

    checks = STAGE.of_task(variant.task)
    return {check.name for check in checks if any(fails(check, case) for case in check.cases("a seed of this test"))}


def variants(kind: str) -> list[Variant]:
    return [each for each in read_variants(FOLDER / kind) if each.task in WITHOUT_SPARK]


@pytest.mark.parametrize("mutant", variants("mutants"), ids=lambda each: each.name)
def test_mutant_is_caught_by_the_checks_that_it_declares_and_no_other(mutant: Variant) -> None:
    assert caught_by(mutant) == mutant.killed_by - THROUGHPUT


@pytest.mark.parametrize("alternative", variants("alternatives"), ids=lambda each: each.name)
def test_another_right_solution_gets_all_points(alternative: Variant) -> None:
    assert caught_by(alternative) == set()
