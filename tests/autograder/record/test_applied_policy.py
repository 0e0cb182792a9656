"""A policy changes what is recorded, never what was judged; the feedback page says in words what was applied."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.classroom.policy import THROUGHPUT, Policy
from autograder.classroom.policy_file import FILE
from autograder.cli import context
from autograder.cli import grade as verbs
from autograder.cli.export import export
from autograder.course import Lab, Task, ThroughputRule
from autograder.grading import class_grading
from autograder.record.applied_policy import _without_ungraded
from autograder.record.course_site import collected as records
from autograder.record.course_site.collected import Collected
from autograder.record.gradebook import Recorder
from tests.autograder.record.recording import grade_manually, judge, marks_by_student
from tests.autograder.tiny_class import LAB, TinyClass

HALF = "def triple(n):\n    return n"
Apply = Callable[[str], None]


@pytest.fixture
def apply(tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> Apply:
    """Write a policy and record the class by it, after everything was judged once; nothing may be judged again."""

    def record(policy: str) -> None:
        (tiny_class.classroom.folder / FILE).write_text(policy)
        students = judge(tiny_class)
        monkeypatch.setattr(class_grading, "judge_submissions", lambda *_: iter(()))
        recorder.release(LAB)
        for student in students:
            recorder.record(LAB, student)
            recorder.write_feedback(LAB, student)

    return record


def page(tiny_class: TinyClass, student: str) -> str:
    return (tiny_class.classroom.feedback_of(LAB, student) / f"{LAB}.html").read_text()


def test_a_dropped_task_leaves_points_and_total_and_comes_back(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply
) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple=HALF)

    apply("")
    before = marks_by_student(recorder)
    apply(f"ungraded: [{LAB}/triple]")
    dropped = marks_by_student(recorder)
    text = page(tiny_class, "ben")
    apply("")

    assert [(each.points, each.max_points) for each in before.values()] == [(4.0, 7.0), (2.0, 7.0)]
    assert [(each.points, each.max_points) for each in dropped.values()] == [(2.0, 5.0), (2.0, 5.0)]
    assert "Not graded in this course: triple (2 points)." in text
    assert f"{LAB}: 2 of 5 points" in text
    assert marks_by_student(recorder) == before


def test_a_file_that_cannot_be_read_has_the_same_total_as_the_others(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply
) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben").write_text("not a notebook")

    apply(f"ungraded: [{LAB}/triple]")

    marks = marks_by_student(recorder)
    assert [(each.points, each.max_points) for each in marks.values()] == [(2.0, 5.0), (0.0, 5.0)]
    assert marks["ben"].results is not None
    assert marks["ben"].results["max_score"] == 2.0


def test_points_of_throughput_checks_leave_the_total_whether_or_not_they_were_run() -> None:
    rule = ThroughputRule(baseline="slow", threshold=2, points=3)
    lab = Lab(title="T", minutes=1, points=5, tasks={"t": Task(checks={"c": 2}, throughput=rule)})
    policy = Policy(ungraded={"t": frozenset({THROUGHPUT})})
    check = {"task": "t", "check": "c", "points": 2.0, "max_points": 2.0, "sentence": "Right."}
    measured = {"task": "t", "check": "fast", "points": 1.0, "max_points": 3.0, "sentence": "Slow."}
    test = {"name": "lab/t/c", "score": 2.0, "max_score": 2.0}
    skipped = {"points": {"lab": 5.0, "throughput": {"t": 3.0}}, "checks": [check], "throughput": []}
    run = {**skipped, "throughput": [measured]}
    unreadable = {"points": {"lab": 5.0, "throughput": {}}, "checks": [check], "throughput": []}
    fast = {"name": "lab/t/fast", "score": 1.0, "max_score": 3.0}

    for results in (
        {"score": 2.0, "max_score": 2.0, "tests": [test], "streamlab": skipped},
        {"score": 3.0, "max_score": 5.0, "tests": [test, fast], "streamlab": run},
        {"score": 2.0, "max_score": 5.0, "tests": [test], "streamlab": unreadable},
    ):
        graded, words = _without_ungraded(results, policy, lab)
        assert (graded["score"], graded["max_score"], graded["streamlab"]["points"]["lab"]) == (2.0, 2.0, 2.0)
        assert words[0].endswith("(3 points)")


def test_a_late_submission_loses_a_part_of_its_automatic_points_alone(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply
) -> None:
    tiny_class.hand_in("ada", why="Because.")
    late = f"due: {{{LAB}: 2026-11-19 11:00 Europe/Berlin}}\nlate: {{per_day: 25 %}}\n"

    apply(late)
    grade_manually(recorder, "ada", 3)
    apply(late)

    assert (marks_by_student(recorder)["ada"].late_penalty, marks_by_student(recorder)["ada"].points) == (1.0, 6.0)
    text = page(tiny_class, "ada")
    assert "Handed in 1 day late (due 2026-11-19 11:00 CET): −1 points" in text
    assert "25 % of the automatic points for each started day, at least 0 % remain" in text
    assert "Late submission: −1 points" in text


def test_an_extension_is_said_in_words_and_costs_nothing(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply
) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")

    apply(
        f"due: {{{LAB}: 2026-11-18 12:00 UTC}}\nlate: {{per_day: 50 %}}\n"
        f"students: {{ben: {{extend: {{{LAB}: 3 days}}}}}}\n"
    )

    marks = marks_by_student(recorder)
    assert (marks["ada"].late_penalty, marks["ben"].late_penalty) == (4.0, 0.0)
    assert "Your due date was extended by 3 days." in page(tiny_class, "ben")
    assert "extended" not in page(tiny_class, "ada")


@pytest.mark.parametrize(("is_late", "penalty"), [(True, 1.0), (False, 0.0)])
def test_canvas_says_who_is_late_since_its_archives_have_no_times(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply, is_late: bool, penalty: float
) -> None:
    tiny_class.hand_in("ada")
    one = Collected("canvas", "x", 1, "2026-11-20T10:00:00+00:00", False, "digest", is_late, "a_1_2_")
    records.keep(tiny_class.classroom, LAB, {"ada": one})

    apply(f"due: {{{LAB}: 2026-11-01 12:00 UTC}}\nlate: {{per_day: 25 %}}\n")

    assert marks_by_student(recorder)["ada"].late_penalty == penalty
    assert ("Canvas marked it late, without saying by how much" in page(tiny_class, "ada")) is is_late


def test_an_excused_student_has_no_mark_in_any_export(
    tiny_class: TinyClass, recorder: Recorder, apply: Apply, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    apply(f"students: {{ben: {{excused: [{LAB}]}}}}")
    monkeypatch.setattr(context, "ROOT", tiny_class.classroom.root)
    monkeypatch.setattr(verbs, "ROOT", tiny_class.classroom.root)

    found = {}
    for name in ("plain", "canvas", "moodle"):
        path = tmp_path / f"{name}.csv"
        CliRunner().invoke(export, [LAB, "--format", name, "--to", str(path)], catch_exceptions=False)
        found[name] = {row[-1]: row for row in csv.reader(path.read_text(encoding="utf-8-sig").splitlines())}

    assert "excused" in found["plain"]
    assert "EX" in found["canvas"]
    assert "-" in found["moodle"]
    assert "You are excused from this lab" in page(tiny_class, "ben")


def test_grade_reports_a_mistake_in_the_policy_before_it_judges(
    tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "ROOT", tiny_class.classroom.root)
    monkeypatch.setattr(verbs, "ROOT", tiny_class.classroom.root)
    tiny_class.hand_in("ada")
    (tiny_class.classroom.folder / FILE).write_text("late: {per_day: ten}\n")

    result = CliRunner().invoke(verbs.grade, [LAB, "--no-throughput"])

    assert "policy.yml line 1: late.per_day: expected a percentage such as 10 %, got 'ten'" in str(result.exception)
    assert not tiny_class.classroom.results_of(LAB, "ada").exists()
