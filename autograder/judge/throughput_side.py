"""One side of a throughput check: a sandbox that is stopped except for its turns, with a check of every result."""

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from autograder.checks import Mismatch, ThroughputCheck
from autograder.course import Limits
from autograder.judge.audit_findings import FINDINGS_MAX, changed_names, sentence_of, unreliable_value
from autograder.judge.events import Claims, new_token
from autograder.judge.outcomes import outcome_of
from autograder.judge.verdicts import unreadable
from autograder.sandbox import SandboxDied, open_sandbox
from autograder.sandbox.levels import seen_inside
from autograder.sandbox.process_tree import StillRunning
from streamlab.notebooks.labfile import LabCell

START_S = 90.0
TURNS_MAX = 50  # more than `throughput` asks for


class TurnLost(Exception):
    """A side (`who`) did not finish a turn, or its result was wrong; the text says which, and may quote `answer`."""

    def __init__(self, who: str, problem: str, answer: Any = None) -> None:
        super().__init__(f"{who} {problem}")
        self.who, self.answer = who, answer


class NeverStarted(TurnLost):
    """A side loaded its cells and could not begin, since Spark did not start: a fault of the machine."""


class Ended(TurnLost):
    """A side's sandbox ended."""


class TooSlow(TurnLost):
    """A side did not finish a turn, or did not load its cells, within its time."""


class Side:
    """One of the two sides: a sandbox that is stopped except for its turns."""

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
        self.is_loaded = False
        self.slowest_s = 0.0  # of all its turns, in granted time
        token = new_token()
        self.claims = Claims(token, [])
        of_both = limits.model_copy(update={"wall_s": 2 * (START_S + TURNS_MAX * limits.case_s)})
        self.sandbox, self.box = open_sandbox(level, root, lab, of_both, tuning="throughput")
        order = {
            "lab": lab,
            "mode": "throughput",
            "jobs": [{"task": f"{throughput.task}.throughput", "cases": []}],
            "token": token,
        }
        self.sandbox.send({**order, "cells": [asdict(cell) for cell in cells]})

    def wait_until_ready(self) -> None:
        """Wait until the cells are loaded and Spark is up, and then stop the sandbox."""
        self._wait_for("at_the_start", START_S)
        self._stop()

    def turn(self, number: int, content: bytes) -> float:
        """Run one turn and return the seconds from placing the input to the result. Raises `TurnLost`."""
        name = f"turn-{number}.txt"
        self.claims.ask(f"{self.throughput.task}.throughput", number)
        self.sandbox.resume()
        began, granted_before_s = perf_counter(), self.sandbox.clock()
        self.box.place(name, content)
        self.sandbox.send({"id": number, "input": {"path": seen_inside(self.level, self.box, name)}})
        event = self._wait_for_result(number)
        seconds = perf_counter() - began
        self.slowest_s = max(self.slowest_s, self.sandbox.clock() - granted_before_s)
        self._stop()
        (self.box.data / name).unlink()
        self._require_right_result(event, content)
        return seconds

    def _stop(self) -> None:
        try:
            self.sandbox.pause()
        except StillRunning as problem:
            raise TurnLost(self.who, f"would not wait for its turn: {problem}") from None

    def require_idle(self) -> None:
        """Raise `TurnLost` if this side did anything since its last turn."""
        if moved := self.sandbox.moved():
            raise TurnLost(self.who, f"would not wait for its turn: {moved}")

    def _wait_for_result(self, number: int) -> dict[str, Any]:
        while True:
            event = self._wait_for(("rows", "failed"), self.limits.case_s)
            if event.get("case") == number:
                return event

    def _wait_for(self, names: str | tuple[str, ...], patience_s: float) -> dict[str, Any]:
        until = self.sandbox.deadline(patience_s)
        while True:
            try:
                event = self.sandbox.receive(until)
            except TimeoutError:
                raise self._no_answer(names, patience_s) from None
            except SandboxDied as death:
                raise self._ended(names, death) from None
            if self.claims.believes(event):
                self._process(event)
            elif self.not_believed:
                raise TurnLost(self.who, "wrote to the result channel, where only the runner writes")
            else:
                continue
            if event["event"] in names:
                return event

    def _no_answer(self, names: str | tuple[str, ...], patience_s: float) -> TurnLost:
        if self.is_loaded and names == "at_the_start":
            return NeverStarted(self.who, f"could not begin: Spark did not start within {patience_s:g} s")
        return TooSlow(self.who, f"gave no answer within {patience_s:g} s")

    def _ended(self, names: str | tuple[str, ...], death: SandboxDied) -> TurnLost:
        """Return the error for a sandbox that died.

        Only Spark's start comes between loading and the first turn; the side is at fault only if it hit a limit then.
        """
        if self.is_loaded and names == "at_the_start" and not self.sandbox.killed_because:
            return NeverStarted(self.who, f"could not begin: Spark did not start ({death})")
        how = "was ended by the judge" if self.sandbox.killed_because else "ended"
        return Ended(self.who, f"{how}: {death}")

    def _process(self, event: dict[str, Any]) -> None:
        """Keep audit findings. Raises `TurnLost` if the side changed the judging code or read the input itself."""
        self.is_loaded |= event["event"] == "loaded"
        sentence = sentence_of(event) if event["event"] == "finding" else None
        if sentence and len(self.findings) < FINDINGS_MAX:
            self.findings.append(sentence)
        names = changed_names(event) if event["event"] == "changed" else unreliable_value(event)
        if names is not None:
            raise TurnLost(self.who, f"changed the judging code in its sandbox: {names}", names)
        if sentence and str(event.get("subject")).startswith(seen_inside(self.level, self.box, "").rstrip("/")):
            raise TurnLost(self.who, "read the throughput check's input itself instead of using its argument")

    def _require_right_result(self, event: dict[str, Any], content: bytes) -> None:
        outcome = outcome_of(event)
        if outcome.kind != "rows":
            raise TurnLost(self.who, f"stopped with {outcome.error}: {outcome.message}", outcome.answer)
        mismatch = self._judged(content, outcome.rows)
        if mismatch is not None:
            raise TurnLost(self.who, f"gave a wrong result. {mismatch.sentence}", outcome.answer)

    def _judged(self, content: bytes, rows: dict[str, Any]) -> Mismatch | None:
        try:
            return self.throughput.judge(content, rows)
        except Exception as problem:  # rows may hold anything that JSON can
            return unreadable(problem, rows)

    @property
    def not_believed(self) -> int:
        """Return the number of lines that the runner did not write."""
        return self.claims.not_believed + self.sandbox.dropped_lines

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.resume()
        self.sandbox.close()
