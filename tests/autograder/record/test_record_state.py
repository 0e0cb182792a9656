"""`./lab grade` records only the students for whom something has changed, whatever it is."""

import os
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.classroom.policy_file import FILE
from autograder.cli import context
from autograder.cli import grade as verbs
from autograder.record.gradebook import Recorder
from tests.autograder.record.recording import grade_manually
from tests.autograder.tiny_class import LAB, TinyClass

Change = Callable[[TinyClass, Recorder], object]


@pytest.fixture
def recorded(tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grade the class of ada and ben twice; return the list of those whom nbgrader records from then on."""
    students = list[str]()
    record = Recorder.record
    monkeypatch.setattr(context, "ROOT", tiny_class.classroom.root)
    monkeypatch.setattr(verbs, "ROOT", tiny_class.classroom.root)
    monkeypatch.setattr(Recorder, "record", lambda own, lab, one: students.append(one) or record(own, lab, one))
    for student in ("ada", "ben"):
        tiny_class.hand_in(student)
    grade()
    assert students == ["ada", "ben"]
    students.clear()
    return students


def grade() -> None:
    CliRunner().invoke(verbs.grade, [LAB, "--no-throughput"], catch_exceptions=False)


def policy(text: str) -> Change:
    return lambda tiny, recorder: (tiny.classroom.folder / FILE).write_text(text)


CHANGES: dict[str, tuple[Change, list[str]]] = {
    "nothing": (lambda tiny, recorder: None, []),
    "a manual grade": (lambda tiny, recorder: grade_manually(recorder, "ben", 1), ["ben"]),
    "other work": (lambda tiny, recorder: tiny.hand_in("ben", why="Because."), ["ben"]),
    "its time": (lambda tiny, recorder: os.utime(tiny.classroom.submitted / "ben" / LAB / "timestamp.txt"), ["ben"]),
    "no feedback": (lambda tiny, recorder: (tiny.classroom.feedback_of(LAB, "ben") / f"{LAB}.html").unlink(), ["ben"]),
    "an excuse": (policy(f"students: {{ben: {{excused: [{LAB}]}}}}"), ["ben"]),
    "a due date": (policy(f"due: {{{LAB}: 2026-11-19 11:00 UTC}}\nlate: {{per_day: 25 %}}"), ["ada", "ben"]),
    "a dropped task": (policy(f"ungraded: [{LAB}/triple]"), ["ada", "ben"]),
}


def test_only_those_for_whom_something_has_changed_are_recorded(
    tiny_class: TinyClass, recorder: Recorder, recorded: list[str]
) -> None:
    found = {}
    for change, (make, _) in CHANGES.items():
        make(tiny_class, recorder)
        grade()
        grade()
        found[change] = list(recorded)
        recorded.clear()

    assert found == {change: expected for change, (_, expected) in CHANGES.items()}


def test_the_marks_of_a_class_need_as_many_queries_as_those_of_one_student(
    tiny_class: TinyClass, recorder: Recorder, recorded: list[str]
) -> None:
    def queries() -> int:
        made = list[str]()
        note = lambda *about: made.append(about[2])  # noqa: E731  (removed below)
        event.listen(Engine, "before_cursor_execute", note)
        recorder.marks(LAB)
        event.remove(Engine, "before_cursor_execute", note)
        return len(made)

    before = queries()
    for number in range(4):
        tiny_class.hand_in(f"s{number}")
    grade()

    assert queries() == before
