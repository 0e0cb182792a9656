"""Drive all cases of one submission, through as many sandboxes as it takes.

A case that hangs or brings its sandbox down gets its outcome; the cases after it go on in a new sandbox,
so that one mistake never costs the other tasks their verdicts. Nor does one that is only slow: no task may take more
than its share of the time for the whole notebook. A cell that hangs while the notebook is loaded is left out of
the next sandbox and named.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.course import Limits
from autograder.judge.audit_findings import FINDINGS_MAX, names_changed, sentence_of, what_may_lie
from autograder.judge.chain import Chain
from autograder.judge.events import Claims, new_token, task_and_case
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Driven, Outcome, outcome_of
from autograder.sandbox import Sandbox, SandboxDied, SandboxUnavailable, open_sandbox
from autograder.sandbox.process import deadline_after
from streamlab.notebooks.labfile import LabCell

START_S = 60.0


class Driver:
    """Drives one submission; `run()` gives what came of each case."""

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
    ) -> None:
        self.level, self.root, self.lab, self.limits = level, root, lab, limits
        self.cells = list(cells)
        self.left = [Job(job.task, list(job.cases)) for job in jobs if job.cases]
        self.cases_of = {job.task: [case.id for case in job.cases] for job in jobs}
        self.share_s = max(limits.case_s, limits.wall_s / max(1, len(self.left)))
        self.spent_s: defaultdict[str, float] = defaultdict(float)
        self.earlier = (chain or Chain()).as_order()
        self.services = list(services)
        self.driven = Driven()
        self.time_left = deadline_after(limits.wall_s)
        self.starts_that_failed = 0
        self.has_started = False
        self.tried_again: set[tuple[str, int]] = set()

    def run(self, done: Callable[[str], None] = lambda task: None) -> Driven:
        """Drive everything; `done(task)` is called as cases come back.

        Raises `SandboxUnavailable` where no sandbox came up at all: that is nothing a submission can do or pay for.
        """
        while self.left and self.starts_that_failed < 2 and self.time_left() > 0:
            before = self._what_is_left()
            self._one_sandbox(done)
            self.starts_that_failed += before == self._what_is_left()
        if not self.has_started and self.left:
            raise SandboxUnavailable(f"no sandbox came up: {_last_line(self.driven.printed)}; `./lab doctor` looks why")
        over = self.time_left() <= 0
        cause = (
            f"over the time limit of {self.limits.wall_s:g} s for the whole notebook"
            if over
            else "the sandbox did not start"
        )
        for job in list(self.left):
            self._give_up(job.task, Outcome("timeout" if over else "died", message=cause))
        return self.driven

    def _one_sandbox(self, done: Callable[[str], None]) -> None:
        sandbox, _ = open_sandbox(self.level, self.root, self.lab, self.limits)
        self.driven.sandboxes += 1
        token = new_token()
        talk = _Talk(self, sandbox, Claims(token, self._asked()), done)
        try:
            with sandbox:
                sandbox.send({**self._order(), "token": token})
                talk.listen()
        finally:
            self.driven.not_believed += talk.claims.not_believed + sandbox.dropped_lines
            self.driven.peak_mb = max(self.driven.peak_mb, sandbox.peak_mb)
            self.driven.printed = (self.driven.printed + sandbox.output.text)[-20_000:]

    def _asked(self) -> list[tuple[str, int]]:
        return [(job.task, case.id) for job in self.left for case in job.cases]

    def _what_is_left(self) -> tuple[int, int]:
        return sum(len(job.cases) for job in self.left), len(self.cells)

    def _order(self) -> dict[str, Any]:
        cells = [asdict(cell) for cell in self.cells]
        jobs = [job.as_order() for job in self.left]
        order = {"lab": self.lab, "mode": "checks", "cells": cells, "jobs": jobs}
        return order | {"earlier": self.earlier, "services": self.services}

    def keep(self, task: str, case: int, outcome: Outcome) -> None:
        """Note the outcome of one case and take it off what is left."""
        job = next((each for each in self.left if each.task == task), None)
        if job is None or not any(each.id == case for each in job.cases):
            return  # an event for a case that was not asked for, or twice: no fact
        names = self.driven.distrusted.get(task)
        self.driven.outcomes[case] = Outcome("changed", message=names) if names else outcome
        job.cases[:] = [each for each in job.cases if each.id != case]
        self.left = [each for each in self.left if each.cases]

    def distrust(self, task: str, names: str) -> None:
        """Rows of a task that the sandbox's own code may have lied about: those that came, and those to come."""
        for each in [task] if task in self.cases_of else list(self.cases_of):
            self.driven.distrusted.setdefault(each, names)
            for case in self.cases_of[each]:
                if case in self.driven.outcomes:
                    self.driven.outcomes[case] = Outcome("changed", message=names)

    def give_up_on(self, task: str, outcome: Outcome) -> None:
        """The rest of a task's cases gets one outcome: a task that hangs once is not tried again."""
        self.driven.limits_hit.append(f"{task}: {outcome.message}")
        self._give_up(task, outcome)

    def _give_up(self, task: str, outcome: Outcome) -> None:
        job = next((each for each in self.left if each.task == task), None)
        remaining: list[NumberedCase] = list(job.cases) if job else []
        for each in remaining:
            self.keep(task, each.id, outcome)

    def leave_out(self, at: int, why: str) -> None:
        """Load without the cell at position `at` from now on."""
        if at >= len(self.cells):
            return
        cell = self.cells.pop(at)
        sentence = f"{cell.label}: {why} while the notebook was loaded; it was left out."
        self.driven.limits_hit.append(sentence)
        self.driven.notes.append(sentence)


class _Talk:
    """Listening to one sandbox: where it is, how long it may take, what it said."""

    def __init__(self, driver: Driver, sandbox: Sandbox, claims: Claims, done: Callable[[str], None]) -> None:
        self.driver, self.sandbox, self.claims, self.done = driver, sandbox, claims, done
        self.cell: int | None = None
        self.case: tuple[str, int] | None = None
        self.began = 0.0
        self.spark_is_gone = False
        self.cases_begun = 0
        self._be_patient(START_S)

    def _be_patient(self, patience_s: float) -> None:
        """Wait so long for the next step, whatever else is said meanwhile."""
        self.patience_s, self.time_left = patience_s, deadline_after(patience_s)

    def listen(self) -> None:
        """Take events until the runner is done, hangs or dies."""
        while self.driver.left:
            try:
                event = self.sandbox.receive(min(self.time_left(), self.driver.time_left()))
            except TimeoutError:
                return self._ended("timeout", self._why_no_answer())
            except SandboxDied as death:
                return self._ended("timeout" if "time limit" in str(death) else "died", str(death))
            self.driver.has_started |= event["event"] == "ready"
            if self.claims.believes(event):
                self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        limits, name = self.driver.limits, event["event"]
        if name == "cell":
            self.cell = event["at"]
            self._be_patient(limits.load_s)
        elif name == "loaded":
            self._loaded(event)
        elif name == "wait":
            self._be_patient(START_S)
        elif name == "spark":
            self.driver.driven.spark_start_s = outcome_of(event).seconds
        elif name == "begin":
            self._begins(*task_and_case(event))
        elif name in ("rows", "failed"):
            self._ends(*task_and_case(event), outcome_of(event))
        elif name == "finding":
            self._finding(event)
        elif name == "changed":
            self._keep_note(f"It changed the judging code in its sandbox: {names_changed(event)}.")
            self.driver.distrust(str(event.get("task", "")), names_changed(event))
        elif name == "gone":
            self.spark_is_gone = True
            self.driver.give_up_on(str(event.get("task", "")), Outcome("died", message="Spark's Java process ended"))
        elif name == "done":
            self._be_patient(1.0)

    def _begins(self, task: str, case: int) -> None:
        share_left_s = max(0.0, self.driver.share_s - self.driver.spent_s[task])
        self.case, self.began = (task, case), time.monotonic()
        self.cases_begun += 1
        self._be_patient(min(self.driver.limits.case_s, share_left_s))

    def _ends(self, task: str, case: int, outcome: Outcome) -> None:
        self.driver.spent_s[task] += time.monotonic() - self.began
        self.driver.keep(task, case, outcome)
        self.case = None
        self._be_patient(START_S)
        self.done(task)

    def _why_no_answer(self) -> str:
        if self.case is not None and self.patience_s < self.driver.limits.case_s:
            return f"its cases took over {self.driver.share_s:g} s, its share of the time for the whole notebook"
        return f"no answer within {self.patience_s:g} s"

    def _finding(self, event: dict[str, Any]) -> None:
        self._keep_note(sentence_of(event))
        if (lie := what_may_lie(event)) is not None:
            self.driver.distrust(str(event.get("during", "")), lie)

    def _keep_note(self, sentence: str | None) -> None:
        findings = self.driver.driven.findings
        if sentence and sentence not in findings and len(findings) < FINDINGS_MAX:
            findings.append(sentence)

    def _loaded(self, event: dict[str, Any]) -> None:
        self.cell = None
        self._be_patient(START_S)
        driven = self.driver.driven
        if driven.sandboxes > 1:
            return
        driven.load_s = outcome_of(event).seconds
        for error in event.get("errors", []) if isinstance(event.get("errors"), list) else []:
            if isinstance(error, dict):
                parts = {key: str(error.get(key, ""))[:300] for key in ("cell", "line", "kind", "message")}
                driven.notes.append("{cell}, line {line}: {kind}: {message}".format(**parts))
        notes = event.get("notes")
        driven.notes += [str(note)[:300] for note in notes[:20]] if isinstance(notes, list) else []

    def _ended(self, kind: str, why: str) -> None:
        if self._may_pay_for_another():
            return
        if self.case is not None:
            task, _ = self.case
            self.driver.give_up_on(task, Outcome(kind, message=why))
        elif self.cell is not None:
            self.driver.leave_out(self.cell, why)
        elif not self.spark_is_gone:
            self.driver.driven.limits_hit.append(why)

    def _may_pay_for_another(self) -> bool:
        """Whether a limit was hit in a case behind others, which may have left processes: it gets one more try, alone.

        What it left off then goes on in a new sandbox, as after any other end.
        """
        if self.case is None or self.cases_begun < 2 or not self.sandbox.killed_because:
            return False
        first_time = self.case not in self.driver.tried_again
        self.driver.tried_again.add(self.case)
        return first_time


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it said nothing"
