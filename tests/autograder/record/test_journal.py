"""The journal has each change of a mark, with who, when and why, and is never written anew."""

import pytest
from click.testing import CliRunner

from autograder.classroom.policy_file import FILE as POLICY
from autograder.cli.journal import journal
from autograder.record.gradebook import Recorder
from autograder.record.journal import BECAUSE, FILE, JUDGED, LATE, MANUAL, Entry, append, entries, note_policy
from tests.autograder.record.recording import grade_manually, graded
from tests.autograder.tiny_class import LAB, TinyClass


def changes(tiny_class: TinyClass) -> list[tuple[object, ...]]:
    return [(each.what, each.cell, each.before, each.after, each.because) for each in entries(tiny_class.classroom)]


def test_a_manual_grade_a_regrade_and_a_penalty_are_noted_and_a_first_result_is_not(
    tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_class.hand_in("ada", why="Because.", triple="def triple(n):\n    return n")
    graded(tiny_class, recorder)
    first = changes(tiny_class)
    monkeypatch.setenv(BECAUSE, "read twice")
    grade_manually(recorder, "ada", 0)
    monkeypatch.setenv(BECAUSE, "")
    tiny_class.hand_in("ada", why="Because.")
    (tiny_class.classroom.folder / POLICY).write_text(f"due: {{{LAB}: 2026-11-19 11:00 UTC}}\nlate: {{per_day: 25 %}}")
    graded(tiny_class, recorder)

    assert first == []
    assert changes(tiny_class) == [
        (MANUAL, "written-why", None, 0.0, "read twice"),
        (JUDGED, "check-triple", 0.0, 2.0, ""),
        (LATE, "", None, 1.0, ""),
    ]


def test_a_change_that_is_rolled_back_is_not_noted(tiny_class: TinyClass, recorder: Recorder) -> None:
    tiny_class.hand_in("ada")
    graded(tiny_class, recorder)
    with recorder.open() as gradebook:
        gradebook.find_grade("check-double", LAB, LAB, "ada").manual_score = 1
        gradebook.db.rollback()

    assert changes(tiny_class) == []


def test_each_policy_is_noted_once(tiny_class: TinyClass, recorder: Recorder) -> None:
    for text in ("", "ungraded: []", "ungraded: []", "late: {per_day: 5 %}"):
        (tiny_class.classroom.folder / POLICY).write_text(text)
        note_policy(tiny_class.classroom)

    assert [each[2:4] for each in changes(tiny_class)] == [
        ("", "ungraded: []"),
        ("ungraded: []", "late: {per_day: 5 %}"),
    ]


def test_the_verb_shows_the_changes_of_one_student(tiny_class: TinyClass, recorder: Recorder) -> None:
    append(tiny_class.classroom, [Entry(MANUAL, None, 2.5, each, LAB, "written-why") for each in ("ada", "ben")])

    shown = CliRunner().invoke(journal, ["ben"], catch_exceptions=False).stdout

    assert f"ben  {LAB} manual grade written-why  none → 2.5" in shown
    assert "ada" not in shown


def test_a_damaged_line_is_an_error_with_its_number(tiny_class: TinyClass, recorder: Recorder) -> None:
    append(tiny_class.classroom, [Entry(MANUAL, None, 2.5, "ada", LAB, "written-why")])
    with (tiny_class.classroom.folder / FILE).open("a") as file:
        file.write("{half")

    with pytest.raises(ValueError, match="line 2 is damaged"):
        list(entries(tiny_class.classroom))
