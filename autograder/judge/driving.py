"""Drive all cases of one submission, through as many sandboxes as it takes.

A case that hangs or brings its sandbox down gets its outcome; the cases after it go on in a new sandbox,
so that one mistake never costs the other tasks their verdicts. A cell that hangs while the notebook
is loaded is left out of the next sandbox and named.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.course import Limits
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Driven, Outcome, outcome_of
from autograder.sandbox import Sandbox, SandboxDied, open_sandbox
from autograder.sandbox.process import deadline_after
from streamlab.notebooks.labfile import LabCell

START_S = 60.0


class Driver:
    """Drives one submission; `run()` gives what came of each case."""

    def __init__(self, level: str, root: Path, lab: str, cells: list[LabCell], jobs: list[Job], limits: Limits) -> None:
        self.level, self.root, self.lab, self.limits = level, root, lab, limits
        self.cells = list(cells)
        self.left = [Job(job.task, list(job.cases)) for job in jobs if job.cases]
        self.driven = Driven()
        self.time_left = deadline_after(limits.wall_s)
        self.starts_that_failed = 0

    def run(self, done: Callable[[str], None] = lambda task: None) -> Driven:
        """Drive everything; `done(task)` is called as cases come back."""
        while self.left and self.starts_that_failed < 2 and self.time_left() > 0:
            before = self._what_is_left()
            self._one_sandbox(done)
            self.starts_that_failed += before == self._what_is_left()
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
        talk = _Talk(self, sandbox, done)
        try:
            with sandbox:
                sandbox.send(self._order())
                talk.listen()
        finally:
            self.driven.peak_mb = max(self.driven.peak_mb, sandbox.peak_mb)
            self.driven.printed = (self.driven.printed + sandbox.output.text)[-20_000:]

    def _what_is_left(self) -> tuple[int, int]:
        return sum(len(job.cases) for job in self.left), len(self.cells)

    def _order(self) -> dict[str, Any]:
        cells = [asdict(cell) for cell in self.cells]
        return {"lab": self.lab, "mode": "checks", "cells": cells, "jobs": [job.as_order() for job in self.left]}

    def keep(self, task: str, case: int, outcome: Outcome) -> None:
        """Note the outcome of one case and take it off what is left."""
        job = next((each for each in self.left if each.task == task), None)
        if job is None or not any(each.id == case for each in job.cases):
            return  # an event for a case that was not asked for, or twice: no fact
        self.driven.outcomes[case] = outcome
        job.cases[:] = [each for each in job.cases if each.id != case]
        self.left = [each for each in self.left if each.cases]

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

    def __init__(self, driver: Driver, sandbox: Sandbox, done: Callable[[str], None]) -> None:
        self.driver, self.sandbox, self.done = driver, sandbox, done
        self.cell: int | None = None
        self.case: tuple[str, int] | None = None
        self.patience_s = START_S
        self.spark_is_gone = False

    def listen(self) -> None:
        """Take events until the runner is done, hangs or dies."""
        while self.driver.left:
            try:
                event = self.sandbox.receive(min(self.patience_s, self.driver.time_left()))
            except TimeoutError:
                return self._ended("timeout", f"no answer within {self.patience_s:g} s")
            except SandboxDied as death:
                return self._ended("timeout" if "time limit" in str(death) else "died", str(death))
            self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        limits, name = self.driver.limits, event["event"]
        if name == "cell" and isinstance(event.get("at"), int):
            self.cell, self.patience_s = event["at"], limits.load_s
        elif name == "loaded":
            self._loaded(event)
        elif name == "wait":
            self.patience_s = START_S
        elif name == "spark":
            self.driver.driven.spark_start_s = outcome_of(event).seconds
        elif name == "begin":
            self.case, self.patience_s = _task_and_case(event), limits.case_s
        elif name in ("rows", "failed"):
            task, case = _task_and_case(event)
            self.driver.keep(task, case, outcome_of(event))
            self.case, self.patience_s = None, START_S
            self.done(task)
        elif name == "gone":
            self.spark_is_gone = True
            self.driver.give_up_on(str(event.get("task", "")), Outcome("died", message="Spark's Java process ended"))
        elif name == "done":
            self.patience_s = 1.0

    def _loaded(self, event: dict[str, Any]) -> None:
        self.cell, self.patience_s = None, START_S
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
        if self.case is not None:
            task, _ = self.case
            self.driver.give_up_on(task, Outcome(kind, message=why))
        elif self.cell is not None:
            self.driver.leave_out(self.cell, why)
        elif not self.spark_is_gone:
            self.driver.driven.limits_hit.append(why)


def _task_and_case(event: dict[str, Any]) -> tuple[str, int]:
    case = event.get("case")
    return str(event.get("task", "")), case if isinstance(case, int) else -1
