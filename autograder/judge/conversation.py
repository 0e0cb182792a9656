"""Listens to one sandbox and updates its driver. `autograder.judge.events` decides which events to believe."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.checks.compare import SHOWN_CHARS
from autograder.checks.cut_texts import cut
from autograder.inside.counterparts import Counterpart, NoAnswer
from autograder.judge.answer_limits import values_in, within_limit
from autograder.judge.audit_findings import FINDINGS_MAX, changed_names, sentence_of, unreliable_value
from autograder.judge.events import Claims, task_and_case
from autograder.judge.fallback import Fallback
from autograder.judge.outcomes import Outcome, outcome_of
from autograder.sandbox import Sandbox, SandboxDied
from autograder.sandbox.watchdog import OVER_TIME
from streamlab.granted_time import Deadline

if TYPE_CHECKING:
    from autograder.judge.driver import Driver

START_S = 60.0
NOTES_MAX = 5
ASKS_MAX = 20_000  # in one case; the reference asks some hundred times
NOTE_CHARS = SHOWN_CHARS


class Conversation:
    """Follows the events of one sandbox: its position in the run, its deadline and its findings."""

    def __init__(
        self,
        driver: "Driver",
        sandbox: Sandbox,
        fallback: Fallback,
        whole: Deadline,
        claims: Claims,
        done: Callable[[str], None],
    ) -> None:
        self.driver, self.sandbox, self.fallback = driver, sandbox, fallback
        self.whole, self.claims, self.done = whole, claims, done
        self.cell: int | None = None
        self.case: tuple[str, int] | None = None
        self.began = 0.0
        self.spark_is_gone = False
        self.waits_for_spark = self.spark_was_up = False
        self.cases_begun = self.asked = 0
        self.counterpart = Counterpart({})
        self._allow(START_S)

    def _allow(self, patience_s: float) -> None:
        """Allow this time for the next step; other events do not extend it."""
        self.step = self.sandbox.deadline(patience_s)

    def listen(self) -> None:
        """Take events until the runner is done, hangs or dies."""
        while self.driver.left and self.driver.start_problem is None:
            try:
                event = self.sandbox.receive(self.step, self.whole)
            except TimeoutError:
                return self._ended("timeout", self._why_no_answer())
            except SandboxDied as death:
                return self._ended("timeout" if str(death).startswith(OVER_TIME) else "died", str(death))
            self.driver.has_started |= event["event"] == "ready"
            if self.claims.believes(event):
                self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        limits, name = self.driver.limits, event["event"]
        if name == "cell":
            self.cell = event["at"]
            self._allow(limits.load_s)
        elif name == "loaded":
            self._loaded(event)
        elif name == "wait":
            self.waits_for_spark = not self.spark_was_up  # once it was up, the submission is responsible for its end
            self._allow(START_S)
        elif name == "spark":
            self.waits_for_spark, self.spark_was_up = False, True
            self.driver.driven.spark_start_s = outcome_of(event).seconds
        elif name == "begin":
            self._begins(*task_and_case(event))
        elif name == "ask":
            self._answer(event)
        elif name == "call":
            self._carry(event)
        elif self.waits_for_spark and name == "failed":
            self.driver.start_problem = outcome_of(event)
        elif name in ("rows", "failed"):
            self._ends(*task_and_case(event), outcome_of(event))
        elif name == "finding":
            self._finding(event)
        elif name == "changed":
            self._keep_note(f"It changed the judging code in its sandbox: {changed_names(event)}.")
            self.driver.distrust(str(event.get("task", "")), changed_names(event))
        elif name == "gone":
            self.spark_is_gone = True
            self.driver.give_up_on(str(event.get("task", "")), Outcome("died", message="Spark's Java process ended"))
        elif name == "done":
            self._allow(1.0)

    def _begins(self, task: str, case: int) -> None:
        share_left_s = max(0.0, self.driver.share_s - self.driver.spent_s[task])
        self.case, self.began = (task, case), self.sandbox.clock()
        self.cases_begun += 1
        self.counterpart, self.asked = self.driver.counterpart(task, case), 0
        self._allow(min(self.driver.limits.case_s, share_left_s))

    def _answer(self, event: dict[str, Any]) -> None:
        """Answer a question to the counterpart; after `ASKS_MAX`, the case waits in vain until its time is over."""
        self.asked += 1
        arguments = event.get("arguments")
        if self.asked > ASKS_MAX or not isinstance(arguments, list):
            return
        try:
            self.sandbox.send({"answer": self.counterpart.ask(event.get("question"), *arguments)})
        except NoAnswer as problem:
            self.sandbox.send({"no_answer": str(problem)})

    def _carry(self, event: dict[str, Any]) -> None:
        """Carry a message to the second sandbox, and its reply back; after `ASKS_MAX` in one case, wait in vain."""
        self.asked += 1
        if self.asked > ASKS_MAX:
            return
        if not self.fallback.is_open:
            self._allow(START_S + self.step.limit_s)
        with suppress(TimeoutError):  # this sandbox's time is over, too
            reply = self.fallback.reply_to(event.get("message"), self.step, self.whole)
            self.sandbox.send({"message": reply})

    def _ends(self, task: str, case: int, outcome: Outcome) -> None:
        self.driver.spent_s[task] += (granted_s := self.sandbox.clock() - self.began)
        driver, driven = self.driver, self.driver.driven
        if outcome.kind == "rows":
            outcome = replace(outcome, rows={**outcome.rows, **self.counterpart.rows()})
        outcome = replace(outcome, granted_s=granted_s)
        driver.keep(task, case, within_limit(outcome, driver.most_values.get(task)))
        driven.slowest_s[task] = max(driven.slowest_s.get(task, 0.0), granted_s)
        driven.most_values[task] = max(driven.most_values.get(task, 0), values_in(outcome.rows))
        self.case = None
        self._allow(START_S)
        self.done(task)

    def _why_no_answer(self) -> str:
        if self.case is not None and self.step.limit_s < self.driver.limits.case_s:
            return f"its cases took over {self.driver.share_s:g} s, its share of the time for the whole notebook"
        return f"no answer within {self.step.limit_s:g} s"

    def _finding(self, event: dict[str, Any]) -> None:
        self._keep_note(sentence_of(event))
        if (value := unreliable_value(event)) is not None:
            self.driver.distrust(str(event.get("during", "")), value)

    def _keep_note(self, sentence: str | None) -> None:
        findings = self.driver.driven.findings
        if sentence and sentence not in findings and len(findings) < FINDINGS_MAX:
            findings.append(sentence)

    def _loaded(self, event: dict[str, Any]) -> None:
        self.cell = None
        self._allow(START_S)
        driven = self.driver.driven
        if driven.sandboxes > 1:
            return
        driven.load_s = outcome_of(event).seconds
        errors = event.get("errors")
        errors = [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
        notes = event.get("notes")
        notes = [str(each) for each in notes] if isinstance(notes, list) else []
        driven.notes += capped([_error_note(each) for each in errors], "more cells stopped with an error")
        driven.notes += capped(notes, "more notes on the cells")

    def _ended(self, kind: str, why: str) -> None:
        if self.waits_for_spark and self.case is None and kind == "timeout" and not self.sandbox.killed_because:
            self.driver.start_problem = Outcome("timeout", message=f"Spark did not start within {START_S:g} s")
            return
        if self._gets_another_try():
            return
        if self.case is not None:
            task, _ = self.case
            self.driver.give_up_on(task, Outcome(kind, message=why, limit_s=self._limit_s(kind)))
        elif self.cell is not None:
            self.driver.stopped_at(self.cell, kind, why)
        elif not self.spark_is_gone:
            self.driver.driven.limits_hit.append(why)

    def _limit_s(self, kind: str) -> float:
        """Return the time limit that the running case hit, 0 if it was none."""
        return self.step.limit_s if kind == "timeout" else 0.0

    def _gets_another_try(self) -> bool:
        """Return whether the case that hit a limit gets one more try, in a new sandbox and without earlier cases.

        It does if other cases ran before it, since they may have left processes that used up the limit.
        """
        if self.case is None or self.cases_begun < 2 or not self.sandbox.killed_because:
            return False
        first_time = self.case not in self.driver.retried
        self.driver.retried.add(self.case)
        return first_time


def _error_note(error: dict[str, Any]) -> str:
    parts = {key: cut(str(error.get(key, "")), NOTE_CHARS) for key in ("cell", "line", "kind", "message")}
    return "{cell}, line {line}: {kind}: {message}".format(**parts)


def capped(notes: list[str], more: str) -> list[str]:
    """Return the first notes, each cut, and the number of the others: enough to read, too little to carry a file."""
    kept = [cut(each, NOTE_CHARS) for each in notes[:NOTES_MAX]]
    return kept + [f"… and {len(notes) - NOTES_MAX} {more}."] * (len(notes) > NOTES_MAX)
