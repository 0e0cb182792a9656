"""Listen to one sandbox: where it is, how long it may take, what it said.

Keeps out: which events are believed (autograder.judge.events), what is left to be driven (autograder.judge.driver).
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograder.judge.audit_findings import FINDINGS_MAX, names_changed, sentence_of, what_may_lie
from autograder.judge.events import Claims, task_and_case
from autograder.judge.outcomes import Outcome, outcome_of
from autograder.sandbox import Sandbox, SandboxDied
from autograder.sandbox.process import deadline_after

if TYPE_CHECKING:
    from autograder.judge.driver import Driver

START_S = 60.0
NOTES_MAX = 8
NOTE_CHARACTERS = 200


class Conversation:
    """Listening to one sandbox: where it is, how long it may take, what it said."""

    def __init__(self, driver: "Driver", sandbox: Sandbox, claims: Claims, done: Callable[[str], None]) -> None:
        self.driver, self.sandbox, self.claims, self.done = driver, sandbox, claims, done
        self.cell: int | None = None
        self.case: tuple[str, int] | None = None
        self.began = 0.0
        self.spark_is_gone = False
        self.waits_for_spark = self.spark_was_up = False
        self.cases_begun = 0
        self._be_patient(START_S)

    def _be_patient(self, patience_s: float) -> None:
        """Wait so long for the next step, whatever else is said meanwhile."""
        self.patience_s, self.time_left = patience_s, deadline_after(patience_s)

    def listen(self) -> None:
        """Take events until the runner is done, hangs or dies."""
        while self.driver.left and self.driver.spark_problem is None:
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
            self.waits_for_spark = not self.spark_was_up  # once it was, its end is the submission's
            self._be_patient(START_S)
        elif name == "spark":
            self.waits_for_spark, self.spark_was_up = False, True
            self.driver.driven.spark_start_s = outcome_of(event).seconds
        elif name == "begin":
            self._begins(*task_and_case(event))
        elif self.waits_for_spark and name == "failed":
            self.driver.spark_problem = outcome_of(event)
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
        errors = event.get("errors")
        errors = [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
        notes = event.get("notes")
        notes = [str(each) for each in notes] if isinstance(notes, list) else []
        driven.notes += told([_error_note(each) for each in errors], "more cells stopped with an error")
        driven.notes += told(notes, "more notes on the cells")

    def _ended(self, kind: str, why: str) -> None:
        if self.waits_for_spark and self.case is None and kind == "timeout" and not self.sandbox.killed_because:
            self.driver.spark_problem = Outcome("timeout", message=f"Spark did not come up within {START_S:g} s")
            return
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


def _error_note(error: dict[str, Any]) -> str:
    parts = {key: str(error.get(key, ""))[:NOTE_CHARACTERS] for key in ("cell", "line", "kind", "message")}
    return "{cell}, line {line}: {kind}: {message}".format(**parts)


def told(notes: list[str], more: str) -> list[str]:
    """The first notes of many, each cut, and how many more there are: enough to go on, too little to carry a file."""
    kept = [each[:NOTE_CHARACTERS] for each in notes[:NOTES_MAX]]
    return kept + [f"… and {len(notes) - NOTES_MAX} {more}."] * (len(notes) > NOTES_MAX)
