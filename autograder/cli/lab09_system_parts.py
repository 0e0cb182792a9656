"""Finds whose the parts of the complete system are, and loads those that run. Nothing is judged here.

A task is the learner's own if all its newest verdicts in work/LAB pass, and its cell is still the one that they are
about. Otherwise the kit's solution takes its place, as far as the kit has one; a student's kit has none.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import streamlab
from autograder.cli.context import ROOT, UserError, course
from autograder.cli.own_tasks import is_as_checked, is_own, own_cells, passes
from autograder.judge.needed_cells import needed_cells
from streamlab.lab09_system.parts import CALLED, CALLS, LAB, TASKS
from streamlab.notebooks.labfile import LabCell, UnreadableLab, reference_cells
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import send_by_value
from streamlab.views.system_map import NOT_YET, REFERENCE, YOURS, Owner, name_of

OWN_ROLES = (None, "given", "task")
Wrap = Callable[[str, Any], Any]


def tasks_of_parts() -> dict[str, list[str]]:
    """Return the tasks that a page shows for each part of the system."""
    return {part: [task for task in tasks if task in TASKS] for part, tasks in course().tasks_of_parts().items()}


def owners_of(tasks: Iterable[str]) -> dict[str, Owner]:
    """Return whose each task ("LAB/TASK") is."""
    return {task: _owner(*task.split("/")) for task in tasks}


def changed_since_check(tasks: Iterable[str]) -> list[str]:
    """Return the tasks that pass all their checks in another version of their cell, or in one that is not known."""
    return [task for task in tasks if passes(task) and not is_as_checked(task)]


def _owner(lab: str, task: str) -> Owner:
    if is_own(f"{lab}/{task}"):
        return YOURS
    return REFERENCE if _has_reference(lab, task) else NOT_YET


@cache
def _reference(lab: str) -> list[LabCell]:
    return reference_cells(ROOT, lab)


def _has_reference(lab: str, task: str) -> bool:
    return any(cell.role == "task" and cell.name == task for cell in _reference(lab))


def as_it_is(name: str, task: Any) -> Any:
    """Return the task."""
    return task


class Parts:
    """The tasks that run, each from its owner's cells.

    `owners` changes when the learner's cells of a task cannot be loaded: the task falls back, and `on_fallback` gets a
    line that says why.
    """

    def __init__(self, owners: dict[str, Owner], on_fallback: Callable[[str], None]) -> None:
        self.owners, self._on_fallback = owners, on_fallback
        self._stages: dict[tuple[str, Owner], Stage] = {}
        self._open = ExitStack()

    def missing(self, tasks: Collection[str]) -> list[str]:
        """Return those of the tasks that nobody has written."""
        return [task for task in tasks if self.owners[task] == NOT_YET]

    def yours(self, tasks: Collection[str]) -> dict[str, Any]:
        """Return those of the tasks that are the learner's own and can be loaded, with all tasks that they call."""
        found = dict[str, Any]()
        with self._replaced_stage():
            for task in tasks:
                if self._is_yours(task) and all(map(self._is_yours, CALLS.get(task, ()))):
                    with suppress(UserError):  # said by `on_fallback`
                        found[task] = self._task(task)
        self._equip({name_of(task): each for task, each in found.items()})
        return found

    def _is_yours(self, task: str) -> bool:
        return self.owners[task] == YOURS

    def namespace(self, tasks: Collection[str], is_sent: bool = False, wrap: Wrap = as_it_is) -> SimpleNamespace:
        """Return an object with the tasks as attributes; `is_sent`: other programs get them, by value.

        `wrap(name, task)` returns what takes the task's place. Raises UserError for a task that cannot be loaded.
        """
        with self._replaced_stage():
            found = SimpleNamespace(**{name_of(task): wrap(name_of(task), self._task(task)) for task in tasks})
        self._equip(vars(found))
        for lab, owner in self._stages if is_sent else ():
            send_by_value(_module(lab, owner))
        return found

    def _task(self, task: str) -> Any:
        lab, name = task.split("/")
        owner = self.owners.get(task) or _owner(lab, name)
        if owner == NOT_YET:
            raise UserError(f"{task} is not written yet, and this kit has no solutions; `./lab start {lab}` opens it")
        try:
            return getattr(self._stage(lab, owner), name)
        except (AttributeError, UnreadableLab, SyntaxError, ValueError) as problem:
            if owner == REFERENCE:
                raise UserError(f"the reference solution of {task} cannot be loaded: {problem}") from None
        self.owners[task] = REFERENCE if _has_reference(lab, name) else NOT_YET
        self._on_fallback(f"your own {task} passed its checks and cannot be loaded now; `./lab check {lab}` says why")
        return self._task(task)

    def _stage(self, lab: str, owner: Owner) -> Stage:
        """Load the cells that this lab's tasks of one owner need; the cells of other tasks do not run."""
        if (lab, owner) not in self._stages:
            cells = own_cells(lab) if owner == YOURS else _reference(lab)
            mine = (task.split("/") for task, whose in self.owners.items() if whose == owner)
            needed = _needed(cells, [name for of_lab, name in mine if of_lab == lab])
            self._stages[lab, owner] = load_cells(lab, needed, module_name=_module(lab, owner))
        return self._stages[lab, owner]

    def _equip(self, found: Mapping[str, Any]) -> None:
        """Give Lab 9's cells the earlier tasks that they call; in a notebook, a cell of `stage(…)` does."""
        called = {name: task for name, task in found.items() if name in CALLED}
        for (lab, _), stage in self._stages.items():
            if lab == LAB:
                self._open.enter_context(stage.replaced(**called))

    @contextmanager
    def _replaced_stage(self) -> Iterator[None]:
        """Let notebooks get earlier labs' tasks from here, unjudged, and no Spark session."""
        own = {"stage": lambda lab: _EarlierLab(self, lab), "session": lambda *_, **__: None}
        with patch.dict(vars(streamlab), own):
            yield


class _EarlierLab:
    """The tasks of one earlier lab, which `stage("lab07_irm")` returns in a notebook."""

    def __init__(self, parts: Parts, lab: str) -> None:
        self._parts, self._lab = parts, lab

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._parts._task(f"{self._lab}/{name}")


def _module(lab: str, owner: Owner) -> str:
    return f"system_{owner}_{lab}"


def _needed(cells: list[LabCell], names: Iterable[str]) -> list[LabCell]:
    """Return the cells that any of the tasks need, in their order."""
    wanted = [cell for name in names for cell in needed_cells(cells, name, OWN_ROLES)]
    return [cell for cell in cells if any(cell is each for each in wanted)]
