"""Mutants and alternatives of Lab 3: each check has a mutant, each task at least three; they ride on the reference.

Those that need neither Spark nor a service are driven here, but for the 40 of `PartitionLog`, which tear and flip
files for two minutes; `./lab verify` drives them all.
"""

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from autograder.stages.lab02_windows.oracle_tweets import hashtags

import autograder.stages.lab03_log.drive  # noqa: F401 (registers the drives)
from autograder.checks import Check
from autograder.inside import DRIVES
from autograder.stages.lab03_log import oracle_log
from autograder.verify.variants import Variant
from streamlab.notebooks.labfile import LabCell, reference_cells
from streamlab.notebooks.loader import RUN_ON_LOADING, Stage, load_cells
from tests.autograder.stages.lab03_log.rows_by_hand import CHECKS, LAB, STAGE

FOLDER = Path(oracle_log.__file__).parent
ROOT = FOLDER.parents[2]
THROUGHPUT = {throughput.name for throughput in STAGE.throughput_checks}
WITH_SERVICES = ("Membership", "kafka_counts", "write_once")
SESSION = 'session("lab03_log", kafka=True)'


def test_every_check_and_race_has_a_mutant_and_every_mutant_names_checks_of_its_task() -> None:
    mutants = read_variants(FOLDER / "mutants")
    names = {task: {check.name for check in STAGE.of_task(task)} for task in {check.task for check in STAGE.checks}}

    assert set.union(*(set(mutant.killed_by) for mutant in mutants)) == set(CHECKS) | THROUGHPUT
    assert all(mutant.killed_by <= names[mutant.task] | THROUGHPUT for mutant in mutants)


def test_every_task_has_three_mutants() -> None:
    tasks = [mutant.task for mutant in read_variants(FOLDER / "mutants")]

    assert all(tasks.count(check.task) >= 3 for check in STAGE.checks)


def test_every_task_has_another_right_solution() -> None:
    tasks = {alternative.task for alternative in read_variants(FOLDER / "alternatives")}

    assert tasks >= {check.task for check in STAGE.checks}


@cache
def reference() -> list[LabCell]:
    """What the reference defines, without a session."""
    cells = [each for each in reference_cells(ROOT, LAB) if each.kind == "code" and each.role in RUN_ON_LOADING]
    return [LabCell(**{**vars(each), "source": each.source.replace(SESSION, "None")}) for each in cells]


def stage_of(code: str, module: str = "stage_under_test") -> Stage:
    own = LabCell(kind="code", role=None, name=None, source=code, id="own")
    stage = load_cells(LAB, [*reference(), own], module_name=module)
    assert not stage.errors
    return stage


def caught_by(variant: Variant, scratch: Path) -> set[str]:
    stage, drive = stage_of(variant.code), DRIVES[variant.task]
    folders = (scratch / str(number) for number in range(10**6))

    def fails(check: Check, case: dict[str, Any]) -> bool:
        folder = next(folders)
        folder.mkdir()
        try:
            rows = drive(stage=stage, case=case, scratch=folder, earlier=lambda _: SimpleNamespace(hashtags=hashtags))
            return check.judge(case, rows) is not None
        except Exception:
            return True  # the judge gives such a case the verdict error

    checks = STAGE.of_task(variant.task)
    return {check.name for check in checks if any(fails(check, case) for case in check.cases("a seed of this test"))}


def variants(kind: str) -> list[Variant]:
    return [each for each in read_variants(FOLDER / kind) if each.task not in WITH_SERVICES]


QUICK = [each for each in variants("mutants") if each.task != "PartitionLog"]


@pytest.mark.parametrize("mutant", QUICK, ids=lambda each: each.name)
def test_mutant_is_caught_by_the_checks_that_it_declares_and_no_other(mutant: Variant, tmp_path: Path) -> None:
    assert caught_by(mutant, tmp_path) == mutant.killed_by - THROUGHPUT


@pytest.mark.parametrize("alternative", variants("alternatives"), ids=lambda each: each.name)
def test_another_right_solution_gets_all_points(alternative: Variant, tmp_path: Path) -> None:
    assert caught_by(alternative, tmp_path) == set()


@pytest.mark.parametrize("task", sorted({check.task for check in STAGE.checks} - set(WITH_SERVICES)))
def test_the_reference_gets_all_points(task: str, tmp_path: Path) -> None:
    assert caught_by(Variant(task, "reference", "", frozenset(), ""), tmp_path) == set()
