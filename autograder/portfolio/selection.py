"""Selects the units that the learner's own tasks need, over all labs, and says why a task cannot be in a package."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.portfolio.units import Unit

IN_A_MODULE = frozenset({*dir(builtins), "__name__", "__file__", "__doc__"})
ONLY_IN_A_NOTEBOOK = frozenset({"spark", "stage", "display", "get_ipython"})


class LeftOut(Exception):
    """A task of the learner cannot be in a package; the message says why, after the task's name."""


@dataclass
class Module:
    """The positions of the units in the module of a lab, and (lab, name) of what it imports from earlier labs."""

    units: set[int] = field(default_factory=set)
    earlier: set[tuple[str, str]] = field(default_factory=set)


class Selection:
    """The modules of a package, {lab: Module}, and why some of the learner's own tasks are left out, {task: reason}.

    `units` are those of each lab, in the course's order; `own` are the tasks ("LAB/TASK") that may be in the
    package.
    """

    def __init__(self, units: Mapping[str, Sequence[Unit]], own: Sequence[str]) -> None:
        self.units, self._own = units, own
        self.modules: dict[str, Module] = {}
        self.left_out: dict[str, str] = {}

    def select(self, tasks: Iterable[str]) -> None:
        """Add tasks, with all that they need."""
        for task in tasks:
            try:
                needed = self._needed(*task.split("/"))
            except LeftOut as reason:
                self.left_out[task] = str(reason)
                continue
            for lab, module in needed.items():
                total = self.modules.setdefault(lab, Module())
                total.units |= module.units
                total.earlier |= module.earlier

    @property
    def tasks(self) -> list[str]:
        """All of the learner's own tasks that the modules define, in the order of `own`."""
        return [task for task in self._own if self._is_defined(*task.split("/"))]

    def left_out_lines(self) -> list[str]:
        """Return a line for each lab and reason. Example: "lab03_log: Segment, append: does not pass" """
        groups: dict[tuple[str, str], list[str]] = {}
        for task, why in self.left_out.items():
            lab, name = task.split("/")
            groups.setdefault((lab, why), []).append(name)
        return [f"{lab}: {', '.join(names)}: {why}" for (lab, why), names in sorted(groups.items())]

    def _is_defined(self, lab: str, name: str) -> bool:
        module = self.modules.get(lab, Module())
        return any(name in self.units[lab][at].defines for at in module.units)

    def _needed(self, lab: str, task: str) -> dict[str, Module]:
        found: dict[str, Module] = {}
        waiting = [(lab, task)]
        while waiting:
            where, name = waiting.pop()
            module = found.setdefault(where, Module())
            new = {at for at in self._defining(where, name) if at not in module.units}
            module.units |= new
            for used in sorted({used for at in new for used in self._used(where, self.units[where][at])}):
                if home := self._home(where, used):
                    waiting.append((home, used))
                    if home != where:
                        module.earlier.add((home, used))
        return found

    def _defining(self, lab: str, name: str) -> list[int]:
        at = [at for at, unit in enumerate(self.units[lab]) if name in unit.defines and _is_usable(unit)]
        if not at:
            raise LeftOut("has a line that only a notebook runs, such as %time")
        return at

    def _used(self, lab: str, unit: Unit) -> frozenset[str]:
        if unit.task and f"{lab}/{unit.task}" not in self._own:
            raise LeftOut(f"calls {unit.task}, which is not among your passing tasks as it is now")
        return unit.uses

    def _home(self, lab: str, name: str) -> str | None:
        """Return the lab that defines a name which a unit uses, None for Python's own; raises LeftOut."""
        labs = list(self.units)
        if name not in ONLY_IN_A_NOTEBOOK:
            if any(name in unit.defines and _is_usable(unit) for unit in self.units[lab]):
                return lab
            for earlier in labs[: labs.index(lab)]:
                if any(unit.task == name for unit in self.units[earlier]):
                    return earlier
            if name in IN_A_MODULE:
                return None
        raise LeftOut(f"uses {name}, which only a notebook has")


def _is_usable(unit: Unit) -> bool:
    """Return whether a unit is not the line with which a notebook gets the tasks of an earlier lab."""
    return unit.task is not None or "stage" not in unit.uses
