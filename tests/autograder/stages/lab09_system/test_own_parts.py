"""The tasks of earlier labs that run in Lab 9 are the learner's own: each one is replaced, and leaves its mark."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks import Check, load_stage
from autograder.inside import DRIVES, load_drives
from streamlab.lab09_system.parts import LAB, LIVE_TASKS, VIRTUAL_TASKS
from streamlab.lab09_system.virtual import System
from streamlab.lab09_system.virtual.control import BOOT_JOB_S
from streamlab.lab09_system.virtual.system import POLICIES
from streamlab.views.system_map import name_of
from tests.autograder.stages.driven_reference import is_plain, reference

WORKS = {  # what a class does in its part; the other tasks are functions
    "Aggregate": "on_row",
    "FirstFit": "place",
    "LruCache": "get",
    "PartitionLog": "append",
    "SlidingMax": "add",
    "Watch": "move",
}
CHAINED = [check for check in load_stage(LAB).checks if check.chain]
SHORT_DAY = {"day": "own parts", "parts": [["quiet", [0, 4, 100, 0.2, 2, 1]]], "lateness_s": 12.0}


class Marked:
    """The earlier labs: each task of them is the reference, and leaves a file with its name when it works."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()

    def __call__(self, lab: str) -> SimpleNamespace:
        tasks = [
            name_of(task) for task in {*LIVE_TASKS, *VIRTUAL_TASKS, "lab03_log/PartitionLog"} if task.startswith(lab)
        ]
        return SimpleNamespace(**{name: self._marked(getattr(reference(lab), name), name) for name in tasks})

    def _marked(self, task: Any, name: str) -> Any:
        mark, work = self._folder / name, WORKS.get(name)
        done = getattr(task, work) if work else task

        def noted(*arguments: Any, **named: Any) -> Any:
            mark.touch()
            return done(*arguments, **named)

        return type(name, (task,), {work: noted}) if work else noted

    def marks(self) -> set[str]:
        """Return the names of the tasks that worked."""
        return {path.name for path in self._folder.iterdir()}


@pytest.fixture
def marked(tmp_path: Path) -> Marked:
    load_drives(LAB)
    return Marked(tmp_path / "marks")


@pytest.mark.parametrize("check", [pytest.param(each, id=each.name) for each in CHAINED if is_plain(LAB, each.task)])
def test_a_check_of_the_chain_runs_the_task_that_it_names(check: Check, marked: Marked, tmp_path: Path) -> None:
    for case in check.cases("own parts"):
        rows = DRIVES[check.task](stage=reference(LAB), case=case, scratch=tmp_path, earlier=marked)
        assert check.judge(case, rows) is None

    assert name_of(check.chain or "") in marked.marks()


def test_the_virtual_system_runs_the_tasks_of_five_labs(marked: Marked) -> None:
    stage, labs = (
        reference(LAB),
        ("lab01_wordcount", "lab02_windows", "lab05_placement", "lab06_enrichment", "lab07_irm"),
    )
    earlier = {name: task for lab in labs for name, task in vars(marked(lab)).items()}
    parts = {name: getattr(stage, name) for name in POLICIES} | earlier

    with stage.replaced(SlidingMax=earlier["SlidingMax"], FirstFit=earlier["FirstFit"]):
        system = System(SimpleNamespace(**parts))
        for _ in range(BOOT_JOB_S + 1):
            system.step()

    assert marked.marks() == {"LruCache", "heal", "deliver", "SlidingMax", "FirstFit"}


@pytest.mark.slow
def test_spark_reads_the_learners_own_log(marked: Marked, tmp_path: Path, spark: Any) -> None:
    (check,) = (each for each in CHAINED if each.task == "alerts")
    for case in check.cases("own parts"):
        rows = DRIVES["alerts"](stage=reference(LAB), spark=spark, case=case, scratch=tmp_path, earlier=marked)
        assert check.judge(case, rows) is None

    assert marked.marks() == {"PartitionLog"}


@pytest.mark.slow
def test_the_day_runs_the_tasks_of_three_labs(marked: Marked, tmp_path: Path) -> None:
    judges = [each.judge for each in CHAINED if each.task == "start_job" and each.chain != "lab06_enrichment/LruCache"]

    rows = DRIVES["start_job"](stage=reference(LAB), spark=None, case=SHORT_DAY, scratch=tmp_path, earlier=marked)

    assert [judge(SHORT_DAY, rows) for judge in judges] == [None] * len(judges)
    assert rows["cache_looks"] >= 1
    assert marked.marks() == {"Watch", "Aggregate", "read_record", "bucket_of", "LruCache"}
