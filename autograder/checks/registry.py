"""Holds checks and throughput checks as data, collected from the `checks.py` of each group of a lab's tasks.

course.yml has their points and thresholds; `autograder.judge` runs them.
"""

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from autograder.inside.stage_groups import group_modules

Case = dict[str, Any]
Rows = dict[str, Any]


@dataclass(frozen=True)
class Mismatch:
    """The reason why a check failed on one case: a sentence, and the values.

    `sentence` says in the learner's terms what was expected and what came; `expected` and `got` hold the
    values themselves, as JSON, for the report. `also_runs` has the other tasks of the lab that the case ran: the
    judge names those that do not pass.
    """

    sentence: str
    expected: Any = None
    got: Any = None
    also_runs: tuple[str, ...] = ()


Judge = Callable[[Case, Rows], Mismatch | None]
Cases = Callable[[str], list[Case]]


@dataclass(frozen=True)
class Check:
    """One claim about one task. `cases(seed)` returns its inputs, smallest first.

    `chain` is the task of an earlier lab that must be the learner's own for this check: "lab01_wordcount/words". Its
    fallback runs in a second sandbox, or with `chain_inside` in the submission's.
    `after` are the names of other checks of the task: if one of them, or of those that they come after, does not pass,
    its mistake explains a failure of this check, too. Their cases are driven first.
    """

    task: str
    name: str
    judge: Judge
    cases: Cases
    invariant: int | None = None
    chain: str | None = None
    after: tuple[str, ...] = ()
    chain_inside: bool = False

    @property
    def title(self) -> str:
        """The name as a sentence: `every_word_is_counted` -> "every word is counted"."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class ThroughputCheck:
    """A throughput check of `task`: `workload(seed)` returns (input bytes, number of units in them).

    `judge` compares the rows of one turn with the oracle for those bytes; `unit` is the unit of rates: "words".
    """

    task: str
    name: str
    judge: Callable[[bytes, Rows], Mismatch | None]
    workload: Callable[[str], tuple[bytes, int]]
    unit: str

    @property
    def title(self) -> str:
        """The name as a sentence."""
        return self.name.replace("_", " ")


@dataclass
class StageChecks:
    """All checks and throughput checks of one lab, in the order in which they are written."""

    lab: str
    checks: list[Check] = field(default_factory=list)
    throughput_checks: list[ThroughputCheck] = field(default_factory=list)

    def of_task(self, task: str) -> list[Check]:
        """Return the checks of one task, in order."""
        return [each for each in self.checks if each.task == task]

    def in_order(self, task: str) -> list[Check]:
        """Return the checks of one task, each after those that its `after` names.

        Raises ValueError for an `after` that names no other check of the task, or goes round in a circle.
        """
        checks = {each.name: each for each in self.of_task(task)}
        for check in checks.values():
            for name in set(check.after) - checks.keys():
                raise ValueError(f"{check.name} comes after {name}, which is no check of {task}")
        order = TopologicalSorter[str]()
        for check in checks.values():
            order.add(check.name, *check.after)
        try:
            return [checks[name] for name in order.static_order()]
        except CycleError as circle:
            raise ValueError(f"{task}: checks wait for each other: {', '.join(circle.args[1])}") from None

    def chain_of(self, tasks: Collection[str]) -> list[str]:
        """Return the tasks of earlier labs that the checks of `tasks` need, each once: ["lab01_wordcount/words"]."""
        return list(dict.fromkeys(each.chain for each in self.checks if each.chain and each.task in tasks))

    def inside_of(self, tasks: Collection[str]) -> frozenset[str]:
        """Return those tasks of `chain_of` whose fallback has to run in the submission's sandbox."""
        return frozenset(each.chain for each in self.checks if each.chain_inside and each.chain and each.task in tasks)

    def throughput_of(self, task: str) -> ThroughputCheck | None:
        """Return the throughput check of one task, or None."""
        return next((each for each in self.throughput_checks if each.task == task), None)


def check(
    task: str,
    *,
    cases: Cases,
    invariant: int | None = None,
    chain: str | None = None,
    after: str | Sequence[str] = (),
    chain_inside: bool = False,
) -> Callable[[Judge], Check]:
    """Declare a check of `task`; the decorated function's name is its claim.

    The function gets one case and the rows that the task's drive returned for it, and returns
    None or a `Mismatch`. `invariant` is the number of the notebook's invariant that it guards. `chain` is a task of an
    earlier lab, which the drive gets in `earlier`; if it falls back to the reference, the check earns no points.
    `chain_inside`: the drive needs this task in its own process, where Spark's workers or others can get its code.
    `after` is the name of another check of the task, or several: if it fails, a failure of this one is not judged.
    """
    return lambda judge: claim(
        task,
        judge.__name__,
        cases=cases,
        judge=judge,
        invariant=invariant,
        chain=chain,
        after=after,
        chain_inside=chain_inside,
    )


def claim(
    task: str,
    name: str,
    cases: Cases,
    judge: Judge,
    *,
    invariant: int | None = None,
    chain: str | None = None,
    after: str | Sequence[str] = (),
    chain_inside: bool = False,
) -> Check:
    """Declare a check as a row of the table `CLAIMS`, if several claims share one comparator."""
    waits_for = (after,) if isinstance(after, str) else tuple(after)
    return Check(task, name, judge, cases, invariant, chain, waits_for, chain_inside)


def claims(
    *rows: tuple[str, str, Cases, Judge, int | None], after: Mapping[str, str | Sequence[str]] | None = None
) -> list[Check]:
    """Declare checks as a table with the columns task, name, cases, judge, invariant; `after` is by name."""
    waits_for = after or {}
    return [
        claim(task, name, made, judge, invariant=invariant, after=waits_for.get(name, ()))
        for task, name, made, judge, invariant in rows
    ]


def throughput(
    task: str, *, workload: Callable[[str], tuple[bytes, int]], unit: str
) -> Callable[[Callable[[bytes, Rows], Mismatch | None]], ThroughputCheck]:
    """Declare a throughput check of `task`; the decorated function judges the rows of one turn."""
    return lambda judge: ThroughputCheck(task, judge.__name__, judge, workload, unit)


def load_stage(lab: str) -> StageChecks:
    """Import the `checks` of each group of a lab and collect what they declare, in source order."""
    stage = StageChecks(lab)
    for name in group_modules(lab, "checks"):
        module = importlib.import_module(name)
        for value in [*vars(module).values(), *getattr(module, "CLAIMS", ())]:
            if isinstance(value, Check):
                stage.checks.append(value)
            elif isinstance(value, ThroughputCheck):
                stage.throughput_checks.append(value)
    return stage
