"""Drive versions of a lab in a warm sandbox (autograder.inside.warm), with the same outcomes as the judge's driver.

A case that hangs or crashes the sandbox gets the judge's outcome for that, and the remaining cases run in a new
sandbox. A version that leaves anything behind also ends the sandbox, so that it cannot affect the next one.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder.course import Limits
from autograder.inside import DRIVES
from autograder.judge.audit_findings import sentence_of
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Driven, Outcome, outcome_of
from autograder.judge.stop import Stopped
from autograder.sandbox import Sandbox, SandboxDied, open_sandbox
from autograder.sandbox.box import Box
from autograder.sandbox.levels import seen_inside
from streamlab.notebooks.labfile import LabCell

START_S = 60.0
WARM = {"wall_s": 7200.0, "output_mb": 8192}  # limits of one sandbox for hundreds of versions


@dataclass(frozen=True)
class Setting:
    """The setting of all warm sandboxes of one lab; `share_s` is a task's share of a submission's time."""

    level: str
    root: Path
    lab: str
    cells: list[LabCell]
    limits: Limits
    share_s: float
    earlier: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    services: Sequence[str] = ()
    tuning: str = "short"


class Interest:
    """Decides which cases still have to be driven; this one wants all of them."""

    def wants(self, case: NumberedCase) -> bool:
        """Return whether the case can still change a verdict."""
        return True

    def take(self, case: NumberedCase, outcome: Outcome) -> None:
        """Learn from the outcome of a case."""


@dataclass
class Version:
    """One version and the cases to drive it with; `code` runs after the reference's cells.

    An alarm inside the sandbox ends a case after `limit_s(task)`; None means the judge's own limits. A drive waits
    at most `longest_wait_s` for each effect; None means as long as for learners.
    """

    code: str
    jobs: list[Job]
    limit_s: Callable[[str], float | None] = lambda task: None
    interest: Interest = field(default_factory=Interest)
    longest_wait_s: float | None = None


class _Lost(Exception):
    """The sandbox was lost, and a new one is needed; `outcome` is that of the running case."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.outcome = Outcome(kind, message=why)


class WarmSandbox:
    """A sandbox that is opened on demand; `opened` counts how often. Another thread can stop it."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.opened = 0
        self._sandbox: Sandbox | None = None
        self._box: Box | None = None
        self._is_used = False
        self._is_stopped = False

    def drive(self, version: Version) -> Driven:
        """Return the outcome of each case, with notes on cells that stopped and the audit's findings on the version.

        Raises `Stopped` if the sandbox was stopped meanwhile.
        """
        run = _Run(version, Driven())
        for job in version.jobs:
            for case in job.cases:
                if case.id not in run.driven.outcomes and version.interest.wants(case):
                    outcome = self._outcome(run, job, case)
                    version.interest.take(case, outcome)
                    self._keep(run, job, case, outcome)
        self._end()
        if self._is_stopped:
            raise Stopped
        return run.driven

    def place(self, name: str, content: bytes) -> str:
        """Put an input where the sandbox can read it; return its path inside."""
        self._open()
        assert self._box is not None
        self._box.place(name, content)
        return seen_inside(self.setting.level, self._box, name)

    def stop(self) -> None:
        """End the open sandbox, and let no further one be opened. Any thread may call it."""
        self._is_stopped = True
        if (sandbox := self._sandbox) is not None:
            sandbox.kill()

    def close(self) -> None:
        """End the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
        self._sandbox, self._is_used = None, False

    def _keep(self, run: "_Run", job: Job, case: NumberedCase, outcome: Outcome) -> None:
        """Store an outcome; it settles the task's later cases, too, if one hung or died, or if Spark has ended."""
        rest = outcome
        if run.spark_is_gone:
            run.spark_is_gone, rest = False, Outcome("died", message="Spark's Java process ended")
            self.close()
        if rest.kind in ("timeout", "died"):
            run.driven.outcomes.update((each.id, rest) for each in job.cases[job.cases.index(case) :])
        run.driven.outcomes[case.id] = outcome

    def _outcome(self, run: "_Run", job: Job, case: NumberedCase) -> Outcome:
        """Return the outcome of one case; if a sandbox that others have used is lost, repeat the case in a new one."""
        while True:
            had_been_used = self._is_used
            try:
                if run.loaded_in is not self._sandbox or self._sandbox is None:
                    self._load(run)
                return self._answer(run, job.task, case)
            except _Lost as lost:
                self.close()
                if not had_been_used:
                    return lost.outcome

    def _load(self, run: "_Run") -> None:
        sandbox = self._open()
        sandbox.send({"load": run.version.code})
        loaded = self._next(sandbox, run, ("loaded",), START_S + self.setting.limits.load_s)
        run.driven.notes = ["{cell}, line {line}: {kind}: {message}".format(**error) for error in loaded["errors"]]
        run.loaded_in = sandbox

    def _open(self) -> Sandbox:
        if self._is_stopped:
            raise Stopped
        if self._sandbox is None:
            setting = self.setting
            limits = setting.limits.model_copy(update=WARM)
            self._sandbox, self._box = open_sandbox(
                setting.level, setting.root, setting.lab, limits, tuning=setting.tuning
            )
            self.opened += 1
            cells, services = [asdict(cell) for cell in setting.cells], list(setting.services)
            order = {"lab": setting.lab, "mode": "versions", "cells": cells, "services": services}
            self._sandbox.send(order | {"earlier": setting.earlier, "token": ""})
        if self._is_stopped:  # while it was being opened
            self._sandbox.kill()
        return self._sandbox

    def _answer(self, run: "_Run", task: str, case: NumberedCase) -> Outcome:
        assert self._sandbox is not None
        limits, limit_s = self.setting.limits, run.version.limit_s(task)
        waits = {"limit_s": limit_s, "longest_wait_s": run.version.longest_wait_s}
        self._sandbox.send({"task": task, "case": case.id, "input": case.input, **waits})
        self._next(self._sandbox, run, ("begin",), START_S)
        began, share_left_s = self._sandbox.clock(), max(0.0, self.setting.share_s - run.spent_s[task])
        event = self._next(self._sandbox, run, ("rows", "failed", "slow"), min(limits.case_s, share_left_s))
        run.spent_s[task] += self._sandbox.clock() - began
        run.spark_is_gone = event.get("gone", False)
        if event["event"] == "slow":
            if DRIVES[task].needs_spark:  # the alarm may have interrupted an exchange with Java
                self.close()
            return Outcome("timeout", message=f"no answer within {limits.case_s:g} s")
        return outcome_of(event)

    def _next(self, sandbox: Sandbox, run: "_Run", names: tuple[str, ...], patience_s: float) -> dict[str, Any]:
        """Return the next event with one of these names."""
        until = sandbox.deadline(patience_s)
        while True:
            try:
                event = sandbox.receive(until)
            except TimeoutError:
                raise _Lost("timeout", f"no answer within {patience_s:g} s") from None
            except SandboxDied as death:
                raise _Lost("died", str(death)) from None
            if event["event"] == "finding" and (sentence := sentence_of(event)):
                run.driven.findings.append(sentence)
            if event["event"] in names:
                return event

    def _end(self) -> None:
        """Clean up; if anything is left, close the sandbox."""
        if self._sandbox is None:
            return
        self._is_used = True
        self._sandbox.send({"end": True})
        left = ["an answer"]
        with suppress(_Lost):
            left = self._next(self._sandbox, _Run(Version("", []), Driven()), ("clean",), START_S)["left"]
        if left:
            self.close()


@dataclass
class _Run:
    """A version that is being driven: its outcomes so far, and the sandbox that has it loaded."""

    version: Version
    driven: Driven
    loaded_in: Sandbox | None = None
    spark_is_gone: bool = False
    spent_s: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
