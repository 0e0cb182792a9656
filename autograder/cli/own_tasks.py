"""Finds which tasks are the learner's own: all newest verdicts in work/LAB pass, and are about the cell as it is now.

A task is written as "LAB/TASK".
"""

from functools import cache

from autograder.cli.context import ROOT, WORK, course
from autograder.course import Course
from autograder.judge.cell_digests import task_cell_digests
from autograder.notebook_check.standing import TaskVerdicts, newest_verdicts
from streamlab.notebooks.labfile import LabCell, UnreadableLab, read_lab
from streamlab.notebooks.recognition import recognized, without_spare_stubs


def is_own(task: str) -> bool:
    """Return whether all checks of a task pass, in the present version of its cell."""
    return passes(task) and is_as_checked(task)


def passes(task: str) -> bool:
    """Return whether the newest verdict on each check of a task is a pass; False for an unknown task."""
    lab, name = task.split("/")
    about = _course().labs.get(lab)
    checks = set(about.tasks[name].checks) if about and name in about.tasks else set()
    return bool(checks) and name in _verdicts(lab) and checks <= _verdicts(lab)[name].passed


def is_as_checked(task: str) -> bool:
    """Return whether the cell of a task that passes is still the one that was checked."""
    lab, name = task.split("/")
    return _digests(lab).get(name) == _verdicts(lab)[name].digest


def changed_text(task: str) -> str:
    """Return a line about a task that passes, but not in the present version of its cell."""
    return f"your {task} was checked before its last change; `./lab check {task.split('/')[0]}` checks it again"


def own_cells(lab: str) -> list[LabCell]:
    """Return the recognized cells of the learner's notebook of a lab, which may be missing: raises UnreadableLab."""
    cells, released = read_lab(WORK / lab / f"{lab}.ipynb").cells, read_lab(ROOT / "labs" / lab / f"{lab}.ipynb").cells
    return without_spare_stubs(recognized(cells, released), released)


@cache
def _course() -> Course:
    return course()


@cache
def _verdicts(lab: str) -> dict[str, TaskVerdicts]:
    return newest_verdicts(WORK / lab)


@cache
def _digests(lab: str) -> dict[str, str]:
    try:
        return task_cell_digests(own_cells(lab))
    except UnreadableLab:
        return {}
