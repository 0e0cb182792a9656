"""Finds which tasks are the learner's own: all newest verdicts in work/LAB pass, and are about the cell as it is now.

A task is written as "LAB/TASK".
"""

import re
from functools import cache
from typing import Any

from autograder.checks import load_stage
from autograder.cli.context import ROOT, WORK, course
from autograder.course import Course
from autograder.judge.cell_digests import task_cell_digests
from autograder.judge.other_tasks import with_other_tasks
from autograder.judge.results import spelled_out
from autograder.judge.verdicts import Verdict
from autograder.notebook_check.standing import TaskVerdicts, newest_verdicts
from streamlab.notebooks.labfile import LabCell, UnreadableLab, read_lab
from streamlab.notebooks.recognition import recognized, without_spare_stubs

OTHERS = " Of the other tasks that it ran, "  # as `with_other_tasks` writes it


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


def name_other_tasks(lab: str, results: dict[str, Any]) -> None:
    """Let sentences about other tasks of a lab take their earlier verdicts into account; changes `results`.

    The judge knows the verdicts of one run only. An earlier one counts if the task's cell has not changed since.
    """
    naming = [each for each in results["streamlab"]["checks"] if OTHERS in each.get("sentence", "")]
    known = _earlier_verdicts(lab) if naming else {}
    for each in naming:
        sentence, _, named = each["sentence"].partition(OTHERS)
        others = tuple(task for task in _course().labs[lab].tasks if re.search(rf"\b{task}\b", named))
        check = next(one for one in load_stage(lab).of_task(each["task"]) if one.name == each["check"])
        evidence = {} if check.invariant is None else {"invariant": str(check.invariant)}
        claim = {key: each[key] for key in ("task", "check", "title", "verdict", "points", "max_points")}
        alone = Verdict(**claim, sentence=sentence, evidence=evidence, also_runs=others)
        (verdict,) = with_other_tasks([alone], known)
        each |= {"sentence": verdict.sentence, "evidence": each["evidence"] | spelled_out(lab, verdict)}


def _earlier_verdicts(lab: str) -> dict[str, bool]:
    """Return {task: whether it passes} of the tasks that were checked as they are now, read again at each call."""
    cells, verdicts = task_cell_digests(own_cells(lab)), newest_verdicts(WORK / lab)
    checked = {task: found for task, found in verdicts.items() if task in cells and found.digest == cells[task]}
    tasks = _course().labs[lab].tasks
    return {task: set(tasks[task].checks) <= found.passed for task, found in checked.items() if task in tasks}


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
