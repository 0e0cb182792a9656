"""Throughput check a learner's task against its baseline: two sandboxes, taking turns, timed from outside.

The side that waits is stopped, so that it can neither work ahead nor slow the other down; a side that could not be
stopped, or that went on by itself, ends the throughput check without points. Each pair has an input of its own, placed
when the turn begins, and the result of every turn is checked: what a side remembers is of no use.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from autograder.checks import ThroughputCheck
from autograder.course import Limits, ThroughputRule
from autograder.judge.audit_findings import FINDINGS_MAX, names_changed, sentence_of, what_may_lie
from autograder.judge.events import Claims, new_token
from autograder.judge.outcomes import outcome_of
from autograder.judge.ratio import Pair, Ratio, marks, ratio_of_medians
from autograder.judge.verdicts import Verdict
from autograder.sandbox import SandboxDied, open_sandbox
from autograder.sandbox.levels import seen_inside
from autograder.sandbox.process import deadline_after
from autograder.sandbox.process_tree import StillRunning
from streamlab.notebooks.labfile import LabCell, read_lab

PAIRS = 9
WARM_UP_TURNS = 2
START_S = 90.0


@dataclass(frozen=True)
class ThroughputResult:
    """A throughput check's verdict, its figures, and what each pair gave."""

    verdict: Verdict
    unit: str
    threshold: float
    ratio: Ratio | None = None
    pairs: list[Pair] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    not_believed: int = 0


class TurnLost(Exception):
    """A side could not finish a turn, or its result was wrong; the text says which."""


class Side:
    """One of the two: a sandbox that is stopped but for its turns."""

    def __init__(
        self,
        who: str,
        throughput: ThroughputCheck,
        level: str,
        root: Path,
        lab: str,
        cells: list[LabCell],
        limits: Limits,
    ) -> None:
        self.who, self.throughput, self.level, self.limits = who, throughput, level, limits
        self.findings: list[str] = []
        token = new_token()
        self.claims = Claims(token, [])
        self.sandbox, self.box = open_sandbox(level, root, lab, limits, tuning="throughput")
        order = {
            "lab": lab,
            "mode": "throughput",
            "jobs": [{"task": f"{throughput.task}.throughput", "cases": []}],
            "token": token,
        }
        self.sandbox.send({**order, "cells": [asdict(cell) for cell in cells]})

    def come_to_the_start(self) -> None:
        """Wait until the work is loaded, and stop there."""
        self._wait_for("at_the_start", START_S)
        self._stop()

    def turn(self, number: int, content: bytes) -> float:
        """Seconds from placing the input to the result; raises `TurnLost`."""
        name = f"turn-{number}.txt"
        self.claims.ask(f"{self.throughput.task}.throughput", number)
        self.sandbox.resume()
        began = perf_counter()
        self.box.place(name, content)
        self.sandbox.send({"id": number, "input": {"path": seen_inside(self.level, self.box, name)}})
        event = self._wait_for_result(number)
        seconds = perf_counter() - began
        self._stop()
        (self.box.data / name).unlink()
        self._must_be_right(event, content)
        return seconds

    def _stop(self) -> None:
        try:
            self.sandbox.pause()
        except StillRunning as problem:
            raise TurnLost(f"{self.who} would not wait for its turn: {problem}") from None

    def must_have_stood_still(self) -> None:
        """Raise `TurnLost` if this side did anything since its last turn."""
        if moved := self.sandbox.moved():
            raise TurnLost(f"{self.who} would not wait for its turn: {moved}")

    def _wait_for_result(self, number: int) -> dict[str, Any]:
        while True:
            event = self._wait_for(("rows", "failed"), self.limits.case_s)
            if event.get("case") == number:
                return event

    def _wait_for(self, names: str | tuple[str, ...], patience_s: float) -> dict[str, Any]:
        left = deadline_after(patience_s)
        while True:
            try:
                event = self.sandbox.receive(left())
            except TimeoutError:
                raise TurnLost(f"{self.who} gave no answer within {patience_s:g} s") from None
            except SandboxDied as death:
                raise TurnLost(f"{self.who} ended: {death}") from None
            if self.claims.believes(event):
                self._heard(event)
            elif self.not_believed:
                raise TurnLost(f"{self.who} wrote to the result channel, where only the runner writes")
            else:
                continue
            if event["event"] in names:
                return event

    def _heard(self, event: dict[str, Any]) -> None:
        """Keep what the audit noticed; a side that changed the judging code is out."""
        sentence = sentence_of(event) if event["event"] == "finding" else None
        if sentence and len(self.findings) < FINDINGS_MAX:
            self.findings.append(sentence)
        names = names_changed(event) if event["event"] == "changed" else what_may_lie(event)
        if names is not None:
            raise TurnLost(f"{self.who} changed the judging code in its sandbox: {names}")
        if sentence and str(event.get("subject")).startswith(seen_inside(self.level, self.box, "").rstrip("/")):
            raise TurnLost(f"{self.who} read the throughput check's input itself, in place of what it was given")

    def _must_be_right(self, event: dict[str, Any], content: bytes) -> None:
        outcome = outcome_of(event)
        if outcome.kind != "rows":
            raise TurnLost(f"{self.who} stopped with {outcome.error}: {outcome.message}")
        mismatch = self.throughput.judge(content, outcome.rows)
        if mismatch is not None:
            raise TurnLost(f"{self.who} gave a wrong result. {mismatch.sentence}")

    @property
    def not_believed(self) -> int:
        """How many lines came that the runner did not write."""
        return self.claims.not_believed + self.sandbox.dropped_lines

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.resume()
        self.sandbox.close()


def measure_throughput(
    throughput: ThroughputCheck,
    rule: ThroughputRule,
    lab: str,
    cells: list[LabCell],
    *,
    level: str,
    root: Path,
    limits: Limits,
    seed: str,
    on_progress: Callable[[str], None] = lambda text: None,
) -> ThroughputResult:
    """Throughput check `cells` against the baseline; a turn that is lost by the learner ends the throughput check
    without points."""
    baseline_cells = read_lab(root / "autograder/stages" / lab / "baselines" / f"{rule.baseline}.py").cells
    sides: list[Side] = []
    try:
        for who, each in (("the baseline", baseline_cells), (throughput.task, cells)):
            sides.append(Side(who, throughput, level, root, lab, each, limits))
            sides[-1].come_to_the_start()
        pairs = _pairs(throughput, sides, seed, PAIRS, on_progress)
        ratio = ratio_of_medians(pairs)
        if ratio.straddles(rule.threshold):
            on_progress("too close to the threshold to tell: as many pairs again")
            pairs += _pairs(throughput, sides, f"{seed}/again", PAIRS, on_progress)
            ratio = ratio_of_medians(pairs)
        measured = _judged(throughput, rule, ratio, pairs)
    except TurnLost as problem:
        why = f"The throughput check was not finished: {str(problem).rstrip('.')}."
        measured = ThroughputResult(_verdict(throughput, rule, "fail", 0.0, why), throughput.unit, rule.threshold)
    finally:
        for side in sides:
            side.close()
    return replace(measured, findings=sides[-1].findings, not_believed=sides[-1].not_believed)


def _pairs(
    throughput: ThroughputCheck, sides: list[Side], seed: str, count: int, on_progress: Callable[[str], None]
) -> list[Pair]:
    """`count` pairs of rates (learner's, baseline's), after a warm-up; who begins changes from pair to pair."""
    baseline, learner = sides
    pairs: list[Pair] = []
    for number in range(-WARM_UP_TURNS, count):
        content, units = throughput.workload(f"{seed}/turn {number}")
        order = (baseline, learner) if number % 2 else (learner, baseline)
        seconds = {side.who: side.turn(number + WARM_UP_TURNS, content) for side in order}
        for side in sides:
            side.must_have_stood_still()
        if number >= 0:
            pairs.append((units / seconds[learner.who], units / seconds[baseline.who]))
            on_progress(f"pair {number + 1} of {count}: {pairs[-1][0] / pairs[-1][1]:.2f}×")
    return pairs


def _judged(throughput: ThroughputCheck, rule: ThroughputRule, ratio: Ratio, pairs: list[Pair]) -> ThroughputResult:
    straddles = ratio.straddles(rule.threshold)
    points = marks(ratio.high if straddles else ratio.value, rule.threshold, rule.points)
    ran = f"{ratio.value:.2f}× the rate of {rule.baseline}"
    if straddles:
        close = f"too close to the threshold of {rule.threshold:g}× to tell"
        sentence = f"Yours ran at {ran}: {close}, so the higher mark is given."
    elif points == rule.points:
        sentence = f"Yours ran at {ran}; the threshold is {rule.threshold:g}×."
    else:
        sentence = f"Expected {rule.threshold:g}×; yours ran at {ran}."
    kind = "inconclusive" if straddles else "pass" if points == rule.points else "fail"
    return ThroughputResult(
        _verdict(throughput, rule, kind, points, sentence), throughput.unit, rule.threshold, ratio, pairs
    )


def _verdict(throughput: ThroughputCheck, rule: ThroughputRule, kind: str, points: float, sentence: str) -> Verdict:
    return Verdict(throughput.task, throughput.name, throughput.title, kind, points, rule.points, sentence)


def not_measured(throughput: ThroughputCheck, rule: ThroughputRule, why: str) -> ThroughputResult:
    """A throughput check that was not run."""
    return ThroughputResult(_verdict(throughput, rule, "skipped", 0.0, why), throughput.unit, rule.threshold)
