"""A sandbox gets only those cells of a reference that one task needs."""

from pathlib import Path

import pytest

import streamlab
from autograder.course import load_course
from autograder.judge.needed_cells import needed_cells, reference_for
from autograder.judge.submission_checks import load_agreed_stage
from streamlab.notebooks.labfile import LabCell, percent_cells
from streamlab.notebooks.loader import load_cells

ROOT = Path(__file__).resolve().parents[3]
SOURCE = """# %% role="given" name="setup"
import re as regex
PATTERN = regex.compile("a")

# %% role="given" name="delivery"
class Delivery: pass

# %% task="words"
def words(line):
    counts = PATTERN.findall(line)
    return counts

# %% task="counts"
def counts(lines):
    return [words(each) for each in lines]

# %% role="show"
words("a")

# %% task="deliver"
@dataclass
class deliver(Delivery):
    def words(self): return 1
"""


def names(task: str) -> list[str]:
    return [cell.label for cell in needed_cells(percent_cells(SOURCE, "lab.py"), task)]


@pytest.mark.parametrize(
    ("task", "needed"),
    [
        ("words", ["setup", "words"]),
        ("counts", ["setup", "words", "counts"]),
        ("deliver", ["delivery", "deliver"]),
        ("unknown", []),
    ],
)
def test_a_task_needs_the_cells_that_define_what_it_uses(task: str, needed: list[str]) -> None:
    assert names(task) == needed


def test_a_local_name_does_not_bring_in_a_task_of_that_name() -> None:
    assert "counts" not in names("words")


def _tasks_of_chains() -> list[str]:
    course = load_course(ROOT)
    return sorted(
        {each for lab in course.labs for each in load_agreed_stage(lab, course).chain_of(course.labs[lab].tasks)}
    )


@pytest.mark.parametrize("name", _tasks_of_chains())
def test_each_task_that_a_later_lab_uses_loads_from_its_needed_cells_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(streamlab), "session", lambda *_, **__: None)  # all tests share the Spark of this process
    lab, task = name.split("/")
    cells: list[LabCell] = reference_for(ROOT, lab, task)
    stage = load_cells(lab, cells, module_name=f"needed_{task}")

    assert stage.errors == []
    assert callable(getattr(stage, task))
    tasks = [cell.name for cell in cells if cell.role == "task"]
    assert tasks[-1] == task
    assert len(tasks) < len(load_course(ROOT).labs[lab].tasks), "the cells contain tasks that it does not use"
