"""Race a learner's task against its yardstick: two sandboxes, taking turns, timed from outside.

The side that waits is stopped, so that it can neither work ahead nor slow the other down. Each pair has an
input of its own, placed when the turn begins, and the result of every turn is checked.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from autograder.checks import Race
from autograder.course import Limits, RaceRule
from autograder.judge.outcomes import outcome_of
from autograder.judge.ratio import Pair, Ratio, marks, ratio_of_medians
from autograder.judge.verdicts import Verdict
from autograder.sandbox import SandboxDied, open_sandbox
from autograder.sandbox.levels import seen_inside
from autograder.sandbox.process import deadline_after
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


class TurnLost(Exception):
    """A side could not finish a turn, or its result was wrong; the text says which."""


class Side:
    """One of the two: a sandbox that is stopped but for its turns."""

    def __init__(
        self, who: str, race: Race, level: str, root: Path, lab: str, cells: list[LabCell], limits: Limits
    ) -> None:
        self.who, self.race, self.level, self.limits = who, race, level, limits
        self.sandbox, self.box = open_sandbox(level, root, lab, limits, tuning="throughput")
        order = {"lab": lab, "mode": "race", "jobs": [{"task": f"{race.task}.race", "cases": []}]}
        self.sandbox.send({**order, "cells": [asdict(cell) for cell in cells]})
        self._wait_for("at_the_start", START_S)
        self.sandbox.pause()

    def turn(self, number: int, content: bytes) -> float:
        """Seconds from placing the input to the result; raises `TurnLost`."""
        name = f"turn-{number}.txt"
        self.sandbox.resume()
        began = perf_counter()
        self.box.place(name, content)
        self.sandbox.send({"id": number, "input": {"path": seen_inside(self.level, self.box, name)}})
        event = self._wait_for_result(number)
        seconds = perf_counter() - began
        self.sandbox.pause()
        (self.box.data / name).unlink()
        self._must_be_right(event, content)
        return seconds

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
            if event["event"] in names:
                return event

    def _must_be_right(self, event: dict[str, Any], content: bytes) -> None:
        outcome = outcome_of(event)
        if outcome.kind != "rows":
            raise TurnLost(f"{self.who} stopped with {outcome.error}: {outcome.message}")
        mismatch = self.race.judge(content, outcome.rows)
        if mismatch is not None:
            raise TurnLost(f"{self.who} gave a wrong result. {mismatch.sentence}")

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
        pairs = _pairs(race, sides, seed, PAIRS, told)
        ratio = ratio_of_medians(pairs)
        if ratio.straddles(rule.bar):
            told("too close to the bar to tell: as many pairs again")
            pairs += _pairs(race, sides, f"{seed}/again", PAIRS, told)
            ratio = ratio_of_medians(pairs)
        return _judged(race, rule, ratio, pairs)
    except TurnLost as problem:
        return Raced(
            _verdict(race, rule, "fail", 0.0, f"The race was not finished: {str(problem).rstrip('.')}."),
            race.unit,
            rule.bar,
        )
    finally:
        for side in sides:
            side.close()


def _pairs(race: Race, sides: list[Side], seed: str, count: int, told: Callable[[str], None]) -> list[Pair]:
    """`count` pairs of rates (learner's, yardstick's), after a warm-up; who begins changes from pair to pair."""
    yardstick, learner = sides
    pairs: list[Pair] = []
    for number in range(-WARM_UP_TURNS, count):
        content, units = race.workload(f"{seed}/turn {number}")
        order = (yardstick, learner) if number % 2 else (learner, yardstick)
        seconds = {side.who: side.turn(number + WARM_UP_TURNS, content) for side in order}
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
