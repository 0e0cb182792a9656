"""The bench for one lab: its reference, checks, cases and variants, and the orders for warm sandboxes."""

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.inside import DRIVES, load_drives
from autograder.judge.chain import Chain, Link
from autograder.judge.jobs import PUBLIC_SEED, Plan, plan_for
from autograder.judge.needed_cells import reference_for
from autograder.judge.outcomes import Driven
from autograder.judge.reference_figures import measured
from autograder.judge.request import Request
from autograder.judge.submission_checks import load_agreed_stage
from autograder.judge.verdicts import Verdict, judge_check
from autograder.judge.waits import with_waits
from autograder.sandbox import choose_level
from autograder.verify.interest import OpenChecks
from autograder.verify.matrix import Mark, marks_of
from autograder.verify.reach import Reach
from autograder.verify.students_kit import StudentsKit
from autograder.verify.variants import Variant, alternatives_of, mutants_of
from autograder.verify.warm_sandbox import Setting, Version
from autograder.verify.work import Order
from streamlab.notebooks.labfile import LabCell, read_lab

SERVERS = "autograder.inside.servers"
_STAGES = re.compile(r"autograder\.stages(?:\.\w+)+")
SLOWER = 20  # a case that takes this many times the reference's time counts as endless
PATIENCE_S = 6.0
SHORT_PATIENCE_S = 0.5


class Bench:
    """The data that all parts of a lab's verification share; `seconds` of each task come from judging the reference."""

    def __init__(self, lab: str, request: Request) -> None:
        self.lab, self.request = lab, replace(request, lab=lab, throughput=False, limits_answers=False)
        self.entry = request.course.labs[lab]
        self.tasks = list(self.entry.tasks)
        self.folder = request.root / "autograder" / "stages" / lab
        self.source = request.root / "solutions" / lab / f"{lab}.py"
        self.cells = read_lab(self.source).cells
        self.stage = load_agreed_stage(lab, request.course)
        self.mutants = mutants_of(self.folder, self.tasks, self.cells)
        self.alternatives = alternatives_of(self.folder, self.tasks, self.cells)
        self.throughput_names = {each.name for each in self.stage.throughput_checks}
        self.reach = Reach(self.cells)
        self.seconds: dict[str, float] = {}
        self.check_seconds: dict[str, float] = {}
        self.reference_figures: dict[str, object] = {}
        self.independent: set[tuple[str, str]] = set()  # (earlier task, task)
        self.agreed: set[tuple[str, str]] = set()  # (task, seed) on which oracle and reference agree
        self._plans: dict[str, Plan] = {}
        load_drives(lab)

    def learn_seconds(self, results: dict[str, Any]) -> None:
        """Read the durations of the tasks and checks from the reference's results."""
        timing = results["streamlab"]["timing"]
        self.reference_figures = measured(timing["slowest_case_s"], timing["most_values"])
        for name, seconds in timing["checks_s"].items():
            self.check_seconds[name.partition("/")[2]] = seconds
        for task in self.tasks:
            checks = self.stage.of_task(task)
            by_cases = {id(self.plan().of(check)): self.check_seconds.get(check.name, 0.0) for check in checks}
            self.seconds[task] = sum(by_cases.values())

    @cached_property
    def plain(self) -> list[str]:
        """The tasks whose drive is not slow and needs neither Spark nor a server."""
        return [task for task in self.tasks if not _is_heavy(task)]

    @property
    def heavy(self) -> list[str]:
        """The other tasks."""
        return [task for task in self.tasks if task not in self.plain]

    @property
    def waiting(self) -> float:
        """The share of the reference's time in tasks that start servers without Spark, since these mostly wait."""
        waiting = [task for task in self.tasks if starts_servers(task) and not DRIVES[task].needs_spark]
        return sum(self.seconds[task] for task in waiting) / max(sum(self.seconds.values()), 1e-9)

    @cached_property
    def chain(self) -> Chain:
        """The earlier tasks, linked to their references, which their own labs' verification shows to pass."""
        names = self.stage.chain_of(self.tasks)
        return Chain({name: Link(reference_for(self.request.root, *name.split("/"))) for name in names})

    @cached_property
    def students_kit(self) -> StudentsKit:
        """The student's kit, which judges the public cases with recorded answers."""
        return StudentsKit(self.lab)

    def setting(self) -> Setting:
        """Return the setting for the warm sandboxes of this lab."""
        limits = self.request.limits_of(self.lab)
        share_s = max(limits.case_s, limits.wall_s / len(self.tasks))
        level, root = choose_level(self.request.sandbox), self.request.root
        return Setting(
            level, root, self.lab, self.cells, limits, share_s, self.chain.as_order()["earlier"], self.entry.services
        )

    def reached(self, variant: Variant) -> list[str]:
        """Return the tasks that a variant can change: its own, and those that use its definitions."""
        names = self.reach.names(variant.code)
        reached = {variant.task, *self.reach.tasks(names - {variant.task}), *self.resting_on(variant.task)}
        return [task for task in self.tasks if task in reached]

    def resting_on(self, earlier: str) -> list[str]:
        """Return the other tasks that use this one, except those shown to be independent of it (`Independence`)."""
        users = self.reach.tasks({earlier})
        return [task for task in users if task != earlier and (earlier, task) not in self.independent]

    def tasks_apart(self) -> list[list[str]]:
        """Return groups of tasks to drive in parallel: all plain tasks together, each other task alone."""
        return [*([self.plain] if self.plain else []), *([task] for task in self.heavy)]

    def task_cell(self, task: str) -> LabCell:
        """Return the reference's cell of a task."""
        return next(cell for cell in self.cells if cell.role == "task" and cell.name == task)

    def plan(self, seed: str = PUBLIC_SEED) -> Plan:
        """Return the cases of all tasks."""
        if seed not in self._plans:
            self._plans[seed] = plan_for(self.stage, seed, self.tasks)
        return self._plans[seed]

    def forget(self, seed: str) -> None:
        """Drop the cases of a seed."""
        self._plans.pop(seed, None)

    def marks(self, driven: Driven, tasks: Iterable[str], seed: str = PUBLIC_SEED) -> list[Mark]:
        """Return the marks of these tasks, as the judge gives them to learners."""
        return [mark for task in tasks for mark in marks_of(self._verdicts(driven, task, self.plan(seed)))]

    def _verdicts(self, driven: Driven, task: str, plan: Plan) -> Iterable[Verdict]:
        points, checks = self.entry.tasks[task].checks, self.stage.of_task(task)
        judged = [judge_check(check, plan.of(check), driven, points[check.name]) for check in checks]
        return map(self.chain.settled, checks, with_waits(self.stage.in_order(task), judged))

    def order(
        self,
        part: str,
        code: str,
        tasks: list[str],
        done: Callable[[Driven], Iterable[Order] | None],
        seed: str = PUBLIC_SEED,
    ) -> Order:
        """Return an order to drive the tasks of one version, those without Spark first, as a runner does."""
        first = sorted(tasks, key=lambda task: task in self.heavy)
        jobs = {job.task: job for job in self.plan(seed).jobs}
        version = Version(code, [jobs[task] for task in first], self.patience_s)
        if tasks and set(tasks) <= set(
            self.heavy
        ):  # plain tasks run every case: it is quick, and may hang as for learners
            checks = [check for task in tasks for check in self.stage.of_task(task)]
            version.interest = OpenChecks(checks, self.plan(seed))
        is_plain = not set(tasks) & set(self.heavy)
        return Order(part, version, done, is_plain, sum(self.seconds.get(task, 0.0) for task in tasks))

    def patience_s(self, task: str) -> float | None:
        """Return after how many seconds a plain task's case counts as endless; None: by the judge's own limits."""
        case_s = self.request.limits_of(self.lab).case_s
        return min(case_s, PATIENCE_S + SLOWER * self.seconds.get(task, case_s)) if task in self.plain else None

    def short_patience_s(self, task: str) -> float:
        """Return a shorter limit for versions whose reasons for failure nobody reads."""
        return SHORT_PATIENCE_S + 3 * self.seconds.get(task, 1.0)


def _is_heavy(task: str) -> bool:
    return DRIVES[task].slow or DRIVES[task].needs_spark or starts_servers(task)


def starts_servers(task: str) -> bool:
    """Return whether the drives of the task's group start real servers, directly or through other groups' drives."""
    module = sys.modules[DRIVES[task].run.__module__]
    to_read = list(Path(str(module.__file__)).parent.glob("drive*.py"))
    read = set[Path]()
    while to_read:
        path = to_read.pop()
        read.add(path)
        text = path.read_text(encoding="utf-8")
        if SERVERS in text:
            return True
        names = set(_STAGES.findall(text)) & sys.modules.keys()
        to_read += {Path(str(sys.modules[name].__file__)) for name in names} - read
    return False
