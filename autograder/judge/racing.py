"""Race a learner's task against its yardstick: two sandboxes, taking turns, timed from outside.

The side that waits is stopped, so that it can neither work ahead nor slow the other down; a side that could not be
stopped, or that went on by itself, ends the race without points. Each pair has an input of its own, placed
when the turn begins, and the result of every turn is checked: what a side remembers is of no use.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from autograder.checks import Race
from autograder.course import Limits, RaceRule
from autograder.judge.events import Claims, new_token
from autograder.judge.noticed import NOTICED_MAX, names_changed, sentence_of, what_may_lie
from autograder.judge.outcomes import outcome_of
from autograder.judge.ratio import Pair, Ratio, marks, ratio_of_medians
from autograder.judge.verdicts import Verdict
from autograder.sandbox import SandboxDied, open_sandbox
from autograder.sandbox.levels import seen_inside
from autograder.sandbox.process import deadline_after
from autograder.sandbox.stopping import StillRunning
from streamlab.notebooks.labfile import LabCell, read_lab

PAIRS = 9
WARM_UP_TURNS = 2
START_S = 90.0


@dataclass(frozen=True)
class Raced:
    """A race's verdict, its figures, and what each pair gave."""

    verdict: Verdict
    unit: str
    bar: float
    ratio: Ratio | None = None
    pairs: list[Pair] = field(default_factory=list)
    noticed: list[str] = field(default_factory=list)
    not_believed: int = 0


class TurnLost(Exception):
    """A side could not finish a turn, or its result was wrong; the text says which."""


class Side:
    """One of the two: a sandbox that is stopped but for its turns."""

    def __init__(
        self, who: str, race: Race, level: str, root: Path, lab: str, cells: list[LabCell], limits: Limits
    ) -> None:
        self.who, self.race, self.level, self.limits = who, race, level, limits
        self.noticed: list[str] = []
        token = new_token()
        self.claims = Claims(token, [])
        self.sandbox, self.box = open_sandbox(level, root, lab, limits, tuning="throughput")
        order = {"lab": lab, "mode": "race", "jobs": [{"task": f"{race.task}.race", "cases": []}], "token": token}
        self.sandbox.send({**order, "cells": [asdict(cell) for cell in cells]})

    def come_to_the_start(self) -> None:
        """Wait until the work is loaded, and stop there."""
        self._wait_for("at_the_start", START_S)
        self._stop()

    def turn(self, number: int, content: bytes) -> float:
        """Seconds from placing the input to the result; raises `TurnLost`."""
        name = f"turn-{number}.txt"
        self.claims.ask(f"{self.race.task}.race", number)
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
        sentence = sentence_of(event) if event["event"] == "noticed" else None
        if sentence and len(self.noticed) < NOTICED_MAX:
            self.noticed.append(sentence)
        names = names_changed(event) if event["event"] == "changed" else what_may_lie(event)
        if names is not None:
            raise TurnLost(f"{self.who} changed the judging code in its sandbox: {names}")
        if sentence and str(event.get("subject")).startswith(seen_inside(self.level, self.box, "").rstrip("/")):
            raise TurnLost(f"{self.who} read the race's input itself, in place of what it was given")

    def _must_be_right(self, event: dict[str, Any], content: bytes) -> None:
        outcome = outcome_of(event)
        if outcome.kind != "rows":
            raise TurnLost(f"{self.who} stopped with {outcome.error}: {outcome.message}")
        mismatch = self.race.judge(content, outcome.rows)
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


def run_race(
    race: Race,
    rule: RaceRule,
    lab: str,
    cells: list[LabCell],
    *,
    level: str,
    root: Path,
    limits: Limits,
    seed: str,
    told: Callable[[str], None] = lambda text: None,
) -> Raced:
    """Race `cells` against the yardstick; a turn that is lost by the learner ends the race without points."""
    yardstick_cells = read_lab(root / "autograder/stages" / lab / "yardsticks" / f"{rule.yardstick}.py").cells
    sides: list[Side] = []
    try:
        for who, each in (("the yardstick", yardstick_cells), (race.task, cells)):
            sides.append(Side(who, race, level, root, lab, each, limits))
            sides[-1].come_to_the_start()
        pairs = _pairs(race, sides, seed, PAIRS, told)
        ratio = ratio_of_medians(pairs)
        if ratio.straddles(rule.bar):
            told("too close to the bar to tell: as many pairs again")
            pairs += _pairs(race, sides, f"{seed}/again", PAIRS, told)
            ratio = ratio_of_medians(pairs)
        raced = _judged(race, rule, ratio, pairs)
    except TurnLost as problem:
        why = f"The race was not finished: {str(problem).rstrip('.')}."
        raced = Raced(_verdict(race, rule, "fail", 0.0, why), race.unit, rule.bar)
    finally:
        for side in sides:
            side.close()
    return replace(raced, noticed=sides[-1].noticed, not_believed=sides[-1].not_believed)


def _pairs(race: Race, sides: list[Side], seed: str, count: int, told: Callable[[str], None]) -> list[Pair]:
    """`count` pairs of rates (learner's, yardstick's), after a warm-up; who begins changes from pair to pair."""
    yardstick, learner = sides
    pairs: list[Pair] = []
    for number in range(-WARM_UP_TURNS, count):
        content, units = race.workload(f"{seed}/turn {number}")
        order = (yardstick, learner) if number % 2 else (learner, yardstick)
        seconds = {side.who: side.turn(number + WARM_UP_TURNS, content) for side in order}
        for side in sides:
            side.must_have_stood_still()
        if number >= 0:
            pairs.append((units / seconds[learner.who], units / seconds[yardstick.who]))
            told(f"pair {number + 1} of {count}: {pairs[-1][0] / pairs[-1][1]:.2f}×")
    return pairs


def _judged(race: Race, rule: RaceRule, ratio: Ratio, pairs: list[Pair]) -> Raced:
    straddles = ratio.straddles(rule.bar)
    points = marks(ratio.high if straddles else ratio.value, rule.bar, rule.points)
    ran = f"{ratio.value:.2f}× the rate of {rule.yardstick}"
    if straddles:
        sentence = f"Yours ran at {ran}: too close to the bar of {rule.bar:g}× to tell, so the higher mark is given."
    elif points == rule.points:
        sentence = f"Yours ran at {ran}; the bar is {rule.bar:g}×."
    else:
        sentence = f"Expected {rule.bar:g}×; yours ran at {ran}."
    kind = "inconclusive" if straddles else "pass" if points == rule.points else "fail"
    return Raced(_verdict(race, rule, kind, points, sentence), race.unit, rule.bar, ratio, pairs)


def _verdict(race: Race, rule: RaceRule, kind: str, points: float, sentence: str) -> Verdict:
    return Verdict(race.task, race.name, race.title, kind, points, rule.points, sentence)


def not_raced(race: Race, rule: RaceRule, why: str) -> Raced:
    """A race that was not run."""
    return Raced(_verdict(race, rule, "skipped", 0.0, why), race.unit, rule.bar)
