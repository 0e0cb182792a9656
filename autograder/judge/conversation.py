"""Listens to one sandbox, and decides what follows. `autograder.judge.events` decides which events to believe."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from autograder.checks.compare import SHOWN_CHARS
from autograder.checks.cut_texts import cut
from autograder.course import Limits
from autograder.inside.counterparts import Counterpart, NoAnswer
from autograder.judge.answer_limits import values_in
from autograder.judge.audit_findings import FINDINGS_MAX, changed_names, sentence_of, unreliable_value
from autograder.judge.events import Claims, TaskAndCase, new_token, task_and_case
from autograder.judge.fallback import Fallback
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome, outcome_of
from autograder.sandbox import Sandbox, SandboxDied
from autograder.sandbox.watchdog import OVER_TIME
from streamlab.granted_time import Deadline

START_S = 60.0
NOTES_MAX = 5
ASKS_MAX = 20_000  # in one case; the reference asks some hundred times
NOTE_CHARS = SHOWN_CHARS


@dataclass(frozen=True)
class Decision:
    """What follows from an event: an outcome, and in `kind` what gets it.

    "case": the case `at` of the task. "task": all remaining cases of the task. "retry": the same, once the case `at`
    has had another try. "distrust": all cases of the task, past and future. "cell": the cell at position `at`, with
    which the notebook does not load. "start": the sandbox, which does not get as far as its first case.
    """

    kind: str
    outcome: Outcome
    task: str = ""
    at: int = -1


class Conversation:
    """Follows the events of one sandbox: its position in the run, its deadline and its findings.

    `left` are the cases without an outcome at any time. `driven` gets the measurements and the notes.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        fallback: Fallback,
        whole: Deadline,
        limits: Limits,
        share_s: float,
        left: Mapping[TaskAndCase, NumberedCase],
        driven: Driven,
    ) -> None:
        self.sandbox, self.fallback, self.whole = sandbox, fallback, whole
        self.limits, self.share_s, self.left, self.driven = limits, share_s, left, driven
        self.token = new_token()
        self.claims = Claims(self.token, left)
        self.cell: int | None = None
        self.case: TaskAndCase | None = None
        self.began = 0.0
        self.spark_is_gone = False
        self.waits_for_spark = self.spark_was_up = False
        self.cases_begun = self.asked = 0
        self.counterpart = Counterpart({})
        self._allow(START_S)

    def _allow(self, patience_s: float) -> None:
        """Allow this time for the next step; other events do not extend it."""
        self.step = self.sandbox.deadline(patience_s)

    def listen(self, order: dict[str, Any]) -> Iterator[Decision]:
        """Send the order, and yield decisions until the runner is done, hangs or dies."""
        self.sandbox.send({**order, "token": self.token})
        while True:
            try:
                event = self.sandbox.receive(self.step, self.whole)
            except TimeoutError:
                yield from self._ended("timeout", self._why_no_answer())
                return
            except SandboxDied as death:
                yield from self._ended("timeout" if str(death).startswith(OVER_TIME) else "died", str(death))
                return
            self.driven.has_started |= event["event"] == "ready"
            if self.claims.believes(event):
                yield from self._take(event)

    def _take(self, event: dict[str, Any]) -> Iterator[Decision]:
        name = event["event"]
        if name == "cell":
            self.cell = event["at"]
            self._allow(self.limits.load_s)
        elif name == "loaded":
            self._loaded(event)
        elif name == "wait":
            self.waits_for_spark = not self.spark_was_up  # once it was up, the submission is responsible for its end
            self._allow(START_S)
        elif name == "spark":
            self.waits_for_spark, self.spark_was_up = False, True
            self.driven.spark_start_s = outcome_of(event).seconds
        elif name == "begin":
            self._begins(*task_and_case(event))
        elif name == "ask":
            self._answer(event)
        elif name == "call":
            self._carry(event)
        elif self.waits_for_spark and name == "failed":
            yield Decision("start", outcome_of(event))
        elif name in ("rows", "failed"):
            yield self._ends(*task_and_case(event), outcome_of(event))
        elif name == "finding":
            self._keep_note(sentence_of(event))
            if (value := unreliable_value(event)) is not None:
                yield Decision("distrust", Outcome("changed", message=value), str(event.get("during", "")))
        elif name == "changed":
            self._keep_note(f"It changed the judging code in its sandbox: {changed_names(event)}.")
            yield Decision("distrust", Outcome("changed", message=changed_names(event)), str(event.get("task", "")))
        elif name == "gone":
            self.spark_is_gone = True
            yield Decision("task", Outcome("died", message="Spark's Java process ended"), str(event.get("task", "")))
        elif name == "done":
            self._allow(1.0)

    def _begins(self, task: str, case: int) -> None:
        self.case, self.began, self.asked = (task, case), self.sandbox.clock(), 0
        self.cases_begun += 1
        left = self.left.get((task, case))  # None if the judge has given up its task
        self.counterpart = left.counterpart(task) if left else Counterpart({})
        self._allow(min(self.limits.case_s, max(0.0, self.share_s - self.driven.spent_s.get(task, 0.0))))

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

    def _ends(self, task: str, case: int, outcome: Outcome) -> Decision:
        if outcome.kind == "rows":
            outcome = replace(outcome, rows={**outcome.rows, **self.counterpart.rows()})
        driven, granted_s = self.driven, self.sandbox.clock() - self.began
        driven.spent_s[task] = driven.spent_s.get(task, 0.0) + granted_s
        driven.slowest_s[task] = max(driven.slowest_s.get(task, 0.0), granted_s)
        driven.most_values[task] = max(driven.most_values.get(task, 0), values_in(outcome.rows))
        self.case = None
        self._allow(START_S)
        return Decision("case", replace(outcome, granted_s=granted_s), task, case)

    def _why_no_answer(self) -> str:
        if self.case is not None and self.step.limit_s < self.limits.case_s:
            return f"its cases took over {self.share_s:g} s, its share of the time for the whole notebook"
        return f"no answer within {self.step.limit_s:g} s"

    def _keep_note(self, sentence: str | None) -> None:
        findings = self.driven.findings
        if sentence and sentence not in findings and len(findings) < FINDINGS_MAX:
            findings.append(sentence)

    def _loaded(self, event: dict[str, Any]) -> None:
        self.cell = None
        self._allow(START_S)
        driven = self.driven
        if driven.sandboxes > 1:
            return
        driven.load_s = outcome_of(event).seconds
        errors = event.get("errors")
        errors = [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
        notes = event.get("notes")
        notes = [str(each) for each in notes] if isinstance(notes, list) else []
        driven.notes += capped([_error_note(each) for each in errors], "more cells stopped with an error")
        driven.notes += capped(notes, "more notes on the cells")

    def _ended(self, kind: str, why: str) -> Iterator[Decision]:
        if self.waits_for_spark and self.case is None and kind == "timeout" and not self.sandbox.killed_because:
            yield Decision("start", Outcome("timeout", message=f"Spark did not start within {START_S:g} s"))
        elif self.case is not None:
            # Cases that ran before it may have left processes that used up the limit.
            may_retry = self.cases_begun > 1 and self.sandbox.killed_because
            limit_s = self.step.limit_s if kind == "timeout" else 0.0
            yield Decision("retry" if may_retry else "task", Outcome(kind, message=why, limit_s=limit_s), *self.case)
        elif self.cell is not None:
            yield Decision("cell", Outcome(kind, message=why), at=self.cell)
        elif not self.spark_is_gone:
            self.driven.limits_hit.append(why)


def _error_note(error: dict[str, Any]) -> str:
    parts = {key: cut(str(error.get(key, "")), NOTE_CHARS) for key in ("cell", "line", "kind", "message")}
    return "{cell}, line {line}: {kind}: {message}".format(**parts)


def capped(notes: list[str], more: str) -> list[str]:
    """Return the first notes, each cut, and the number of the others: enough to read, too little to carry a file."""
    kept = [cut(each, NOTE_CHARS) for each in notes[:NOTES_MAX]]
    return kept + [f"… and {len(notes) - NOTES_MAX} {more}."] * (len(notes) > NOTES_MAX)
