"""Drives all cases of one submission, in as many sandboxes as needed.

A case that hangs or crashes its sandbox gets its outcome, and the cases after it continue in a new sandbox. One mistake
therefore never costs the other tasks their verdicts. A slow task does not either, since no task may take more than its
share of the time for the whole notebook. The second parts of cases for two sandboxes come last, in a new one. A cell
that hangs while the notebook is loaded is left out of the next sandbox and reported; for a cell of the kit, the machine
is at fault, unless the kit's cells load without the learner's.

Limits are in time that the machine grants the sandbox (streamlab.granted_time).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from autograder.checks.two_sandboxes import KEY, joined
from autograder.course import Limits
from autograder.judge.answer_limits import within_limit
from autograder.judge.chain import CellsOfTasks, Chain
from autograder.judge.conversation import Conversation, Decision
from autograder.judge.events import TaskAndCase
from autograder.judge.fallback import Fallback
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.stop import Stop
from autograder.sandbox import SandboxUnavailable, open_sandbox
from autograder.sandbox.watchdog import OVER_TIME
from streamlab.notebooks.labfile import LabCell

STARTS_MAX = 2


class Driver:
    """Drives one submission; `run()` returns the outcome of each case.

    `most_values` are those of the reference's largest answer to each task; an answer to another task has no limit.
    """

    def __init__(
        self,
        level: str,
        root: Path,
        lab: str,
        cells: list[LabCell],
        jobs: list[Job],
        limits: Limits,
        chain: Chain | None = None,
        services: Sequence[str] = (),
        stop: Stop | None = None,
        most_values: Mapping[str, int] | None = None,
    ) -> None:
        self.level, self.root, self.lab, self.limits = level, root, lab, limits
        self.cells = list(cells)
        self.left = {(job.task, case.id): case for job in jobs for case in job.cases}
        self.second_parts: dict[TaskAndCase, NumberedCase] = {}  # begin when nothing is left
        self.cases_of = {job.task: [case.id for case in job.cases] for job in jobs}
        self.share_s = max(limits.case_s, limits.wall_s / max(1, len({task for task, _ in self.left})))
        self.chain = chain or Chain()
        self.services = list(services)
        self.stop = stop or Stop()
        self.most_values = most_values or {}
        self.driven = Driven()
        self.left_s = limits.wall_s  # of the limit for the whole notebook
        self.failed_starts = 0
        self.start_problem: Outcome | None = None
        self.retried: set[TaskAndCase] = set()
        self.distrusted: dict[str, Outcome] = {}  # of all cases of a task
        self.starts_alone = False  # shown by a sandbox without the learner's cells

    def run(self, done: Callable[[str], None] = lambda task: None) -> Driven:
        """Drive all cases, and call `done(task)` after each one.

        If no sandbox reaches its first case, with the submission or without it, the remaining cases are ungraded.
        Raises `SandboxUnavailable` if no sandbox started at all, since a submission can neither cause nor pay for that,
        and `Stopped` if the batch was interrupted.
        """
        self._drive_remaining(done)
        if not self.driven.has_started and self.left:
            raise SandboxUnavailable(f"no sandbox started: {_last_line(self.driven.printed)}; run `./lab doctor`")
        if self.left and self.failed_starts >= STARTS_MAX:
            if not self._starts_without_submission():
                why = self.start_problem.message if self.start_problem else "no sandbox reaches its first case"
                return self._end_all(Outcome("ungraded", message=f"{why}, and without this notebook it is the same"))
            self.starts_alone = True
            self.failed_starts -= 1  # one more try: the machine failed for a while, or the submission is at fault
            self._drive_remaining(done)
        return self._end_all(self.start_problem or self._outcome_of_the_rest())

    def _drive_remaining(self, done: Callable[[str], None]) -> None:
        while (self.left or self._begin_second_parts()) and self.failed_starts < STARTS_MAX and self.left_s > 0:
            before, self.start_problem = (len(self.left), len(self.cells)), None
            self._one_sandbox(done)
            self.failed_starts += before == (len(self.left), len(self.cells))

    def _begin_second_parts(self) -> bool:
        self.left, self.second_parts = self.second_parts, {}
        return bool(self.left)

    def _starts_without_submission(self) -> bool:
        """Return whether a sandbox with the kit's own cells only reaches its first case; its time does not count."""
        (task, _), case = next(iter(self.left.items()))
        given, one_case = [cell for cell in self.cells if cell.role == "given"], [Job(task, [case])]
        probe = Driver(
            self.level, self.root, self.lab, given, one_case, self.limits, services=self.services, stop=self.stop
        )
        probe._one_sandbox(lambda task: None)
        return not probe.left

    def _outcome_of_the_rest(self) -> Outcome:
        if not self.left_s:
            limit = f"{OVER_TIME} of {self.limits.wall_s:g} s for the whole notebook"
            return Outcome("timeout", message=limit, limit_s=min(self.limits.case_s, self.share_s))
        return Outcome("died", message="the sandbox did not start")

    def _end_all(self, outcome: Outcome) -> Driven:
        while self.left or self._begin_second_parts():
            self._give_up(next(iter(self.left))[0], outcome)
        return self.driven

    def _one_sandbox(self, done: Callable[[str], None]) -> None:
        sandbox, _ = open_sandbox(self.level, self.root, self.lab, self.limits)
        self.driven.sandboxes += 1
        whole = sandbox.deadline(self.left_s)
        order, called = self._order()
        fallback = Fallback(self.level, self.root, self.lab, self.limits, called, self.stop)
        conversation = Conversation(sandbox, fallback, whole, self.limits, self.share_s, self.left, self.driven)
        try:
            with sandbox, self.stop.covers(sandbox), closing(fallback):
                for decision in conversation.listen(order):
                    self._apply(decision, done)
                    if not self.left or self.start_problem:
                        break
        finally:
            self.left_s = max(0.0, self.left_s - sandbox.clock()) if whole.left_s() else 0.0
            self.driven.not_believed += conversation.claims.not_believed + sandbox.dropped_lines
            self.driven.peak_mb = max(self.driven.peak_mb, sandbox.peak_mb + fallback.peak_mb)
            self.driven.printed = (self.driven.printed + sandbox.output.text)[-20_000:]

    def _order(self) -> tuple[dict[str, Any], CellsOfTasks]:
        """Return the order for the submission's sandbox, and the cells of the tasks that the second one runs."""
        cells = [asdict(cell) for cell in self.cells]
        jobs = [Job(task, self._left_of(task)).as_order() for task in dict.fromkeys(task for task, _ in self.left)]
        order: dict[str, Any] = {"lab": self.lab, "mode": "checks", "cells": cells, "jobs": jobs}
        chain = self.chain.as_order()
        order |= {"earlier": chain["earlier"], "called": list(chain["called"]), "services": self.services}
        return order, chain["called"]

    def _left_of(self, task: str) -> list[NumberedCase]:
        return [case for (its_task, _), case in self.left.items() if its_task == task]

    def _apply(self, decision: Decision, done: Callable[[str], None]) -> None:
        outcome, task, at = decision.outcome, decision.task, decision.at
        if decision.kind == "case":
            self._keep(task, at, within_limit(outcome, self.most_values.get(task)))
            done(task)
        elif decision.kind == "retry" and (task, at) not in self.retried:
            self.retried.add((task, at))
        elif decision.kind in ("task", "retry"):
            self.driven.limits_hit.append(f"{task}: {outcome.message}")
            self._give_up(task, outcome)
        elif decision.kind == "distrust":
            self._distrust(task, outcome)
        elif decision.kind == "cell":
            self._leave_out(at, outcome)
        elif decision.kind == "start":
            self.start_problem = outcome

    def _keep(self, task: str, case: int, outcome: Outcome) -> None:
        """Store the outcome of one case, or of its first part, and remove it from the remaining ones."""
        driven = self.left.pop((task, case), None)
        if driven is None:
            return  # the event is for a case that was not requested, or that already has an outcome
        outcome = self.distrusted.get(task, outcome)
        if outcome.kind == "rows" and KEY in driven.input:
            if driven.first is None:
                self.second_parts[task, case] = replace(driven, first=outcome.rows)
                return
            outcome = replace(outcome, rows=joined(driven.input, driven.first, outcome.rows))
        self.driven.outcomes[case] = outcome

    def _distrust(self, task: str, outcome: Outcome) -> None:
        """Invalidate all rows of a task, past and future, since changed code in the sandbox may have forged them.

        For a task that this driver does not have, invalidate the rows of all tasks.
        """
        for each in [task] if task in self.cases_of else self.cases_of:
            self.distrusted.setdefault(each, outcome)
            self.driven.outcomes |= {case: outcome for case in self.cases_of[each] if case in self.driven.outcomes}

    def _give_up(self, task: str, outcome: Outcome) -> None:
        """Give one outcome to all remaining cases of a task: a task that hangs once is not tried again."""
        for case in self._left_of(task):
            self._keep(task, case.id, outcome)

    def _leave_out(self, at: int, outcome: Outcome) -> None:
        """Leave out the cell at position `at` from now on, unless it is the kit's own and this machine is too slow."""
        if at >= len(self.cells):
            return
        cell, why = self.cells[at], outcome.message
        if cell.role == "given" and outcome.kind == "timeout" and not self.starts_alone:
            self.start_problem = Outcome("timeout", message=f"{cell.label}, a cell of the kit: {why}")
            return
        del self.cells[at]
        sentence = f"{cell.label}: {why} while the notebook was loaded; it was left out."
        self.driven.limits_hit.append(sentence)
        self.driven.notes.append(sentence)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it printed nothing"
