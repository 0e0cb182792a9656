"""A fault of the machine leaves a case ungraded; a fault of the submission is graded, whichever comes first."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.two_sandboxes import in_two_sandboxes
from autograder.course import Limits
from autograder.inside.counterparts import COUNTERPARTS, Counterpart
from autograder.judge import driver
from autograder.judge.driver import Driver
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Outcome
from streamlab.granted_time import Deadline
from streamlab.notebooks.labfile import LabCell

LIMITS = Limits(wall_s=20, load_s=2, case_s=2, memory_mb=400, output_mb=1, processes=100)
CELLS = [LabCell("code", "x = 1", "given", "import_things"), LabCell("code", "y = 2")]
Event = dict[str, Any]
SILENCE: Event = {}

LOADED: list[Event] = [{"event": "ready"}, {"event": "loaded", "seconds": 0.0}]
WAITS: list[Event] = [{"event": "wait", "what": "spark"}]
BEGINS: list[Event] = [{"event": "begin", "task": "count", "case": 0}]
NO_JAVA = {"event": "failed", "task": "count", "case": 0, "kind": "RuntimeError", "message": "no Java", "seconds": 0.0}
MISSING = {**NO_JAVA, "kind": "TaskMissing", "message": "count is not there"}
ROWS = {"event": "rows", "task": "count", "case": 0, "rows": {"n": 1}, "seconds": 0.0}

HANGS = [*LOADED, *WAITS, SILENCE]
FAILS = [*LOADED, *WAITS, *BEGINS, NO_JAVA]
ANSWERS = [*LOADED, *WAITS, {"event": "spark", "seconds": 1.0}, *BEGINS, ROWS]
GIVEN_CELL_HANGS: list[Event] = [{"event": "ready"}, {"event": "cell", "at": 0}, SILENCE]
EMPTY = [*LOADED, *WAITS, {"event": "spark", "seconds": 1.0}, *BEGINS, MISSING]


class _Output:
    text = ""


class ScriptedSandbox:
    """A test double that sends the events of its script, and then nothing."""

    killed_because = None
    dropped_lines = peak_mb = 0
    output = _Output()

    def __init__(self, events: list[Event]) -> None:
        self.events: Iterator[Event] = iter(events)
        self.token = ""

    def send(self, order: dict[str, Any]) -> None:
        self.token = order.get("token", self.token)

    def clock(self) -> float:
        return 0.0

    def deadline(self, limit_s: float) -> Deadline:
        return Deadline(limit_s, self.clock)

    def receive(self, *until: Deadline) -> Event:
        event = next(self.events, SILENCE)
        if event == SILENCE:
            raise TimeoutError
        return {**event, "token": self.token}

    def __enter__(self) -> "ScriptedSandbox":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def outcome(
    monkeypatch: pytest.MonkeyPatch, *sandboxes: Sequence[Event], case: dict[str, Any] | None = None
) -> Outcome:
    """Return the outcome of one case when consecutive sandboxes send these events; all of them must be opened."""
    scripts = [list(each) for each in sandboxes]
    monkeypatch.setattr(driver, "open_sandbox", lambda *_: (ScriptedSandbox(scripts.pop(0)), None))
    driven = Driver("process", Path(), "lab", CELLS, [Job("count", [NumberedCase(0, case or {})])], LIMITS).run()

    assert not scripts
    return driven.outcomes[0]


@pytest.mark.parametrize("trouble", [HANGS, FAILS], ids=["hangs", "fails"])
def test_spark_that_starts_neither_with_nor_without_the_notebook_leaves_it_ungraded(
    monkeypatch: pytest.MonkeyPatch, trouble: list[Event]
) -> None:
    found = outcome(monkeypatch, trouble, trouble, trouble)

    assert found.kind == "ungraded"
    assert "without this notebook it is the same" in found.message


@pytest.mark.parametrize(("trouble", "kind"), [(HANGS, "timeout"), (FAILS, "failed")], ids=["hangs", "fails"])
def test_spark_that_starts_only_without_the_notebook_is_a_fault_of_the_notebook(
    monkeypatch: pytest.MonkeyPatch, trouble: list[Event], kind: str
) -> None:
    assert outcome(monkeypatch, trouble, trouble, EMPTY, trouble).kind == kind


def test_spark_that_starts_late_costs_no_points(monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(monkeypatch, HANGS, ANSWERS).kind == "rows"
    assert outcome(monkeypatch, HANGS, FAILS, EMPTY, ANSWERS).kind == "rows"


def test_a_session_that_the_submission_ended_is_a_fault_of_the_submission(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = [*LOADED, *WAITS, {"event": "spark", "seconds": 1.0}, *WAITS, *BEGINS, NO_JAVA]

    assert outcome(monkeypatch, stopped).kind == "failed"


def test_a_given_cell_that_hangs_is_a_fault_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = outcome(monkeypatch, *[GIVEN_CELL_HANGS] * 3)

    assert found.kind == "ungraded"
    assert "import_things, a cell of the kit: no answer within 2 s" in found.message
    assert outcome(monkeypatch, GIVEN_CELL_HANGS, ANSWERS).kind == "rows"


def test_a_given_cell_that_hangs_only_with_the_learners_cells_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(monkeypatch, GIVEN_CELL_HANGS, GIVEN_CELL_HANGS, EMPTY, GIVEN_CELL_HANGS, ANSWERS).kind == "rows"


def test_the_second_part_of_a_case_is_driven_in_a_new_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    case = in_two_sandboxes({"calls": [1, 2]}, "calls", "events")
    first, second = ([*LOADED, *BEGINS, {**ROWS, "rows": {"events": [each], "state": "s"}}] for each in ("one", "two"))

    assert outcome(monkeypatch, first, second, case=case).rows == {"events": ["one", "two"]}
    assert outcome(monkeypatch, first, [*LOADED, *BEGINS, MISSING], case=case).kind == "failed"
    assert outcome(monkeypatch, first, [*LOADED, *BEGINS, SILENCE], case=case).kind == "timeout"


class Counter(Counterpart):
    """Counts how often it is asked."""

    QUESTIONS = frozenset({"next_number"})
    asked = 0

    def next_number(self) -> int:
        self.asked += 1
        return self.asked

    def rows(self) -> dict[str, Any]:
        return {"asked": self.asked}


def test_what_a_counterpart_counted_replaces_what_the_sandbox_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COUNTERPARTS, "count", Counter)
    questions: list[Any] = ["next_number", "rows", []]
    asks: list[Event] = [{"event": "ask", "question": each, "arguments": []} for each in questions]

    found = outcome(monkeypatch, [*LOADED, asks[0], *BEGINS, *asks, {**ROWS, "rows": {"asked": 99, "n": 1}}])

    assert found.rows == {"asked": 1, "n": 1}


def test_a_case_that_the_judge_gave_up_may_begin_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {"event": "gone", "task": "count"}
    other = Job("other", [NumberedCase(1, {})])
    sandbox = ScriptedSandbox(
        [*LOADED, gone, *BEGINS, {"event": "ask", "question": "next_number", "arguments": []}, ROWS]
    )
    monkeypatch.setattr(driver, "open_sandbox", lambda *_: (sandbox, None))

    driven = Driver("process", Path(), "lab", CELLS, [Job("count", [NumberedCase(0, {})]), other], LIMITS).run()

    assert driven.outcomes[0].kind == "died"
