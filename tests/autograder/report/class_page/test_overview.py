"""Figures of the whole class, and the work that is left to do."""

from itertools import pairwise

import pytest

from autograder.classroom.marks import ClassMarks, WrittenMark
from autograder.report.class_page.members import members_of
from autograder.report.class_page.overview import Overview, notes_of, questions_of, tasks_of
from tests.autograder.report.class_page.conftest import check, marks_of, results, student


def _overview(marks: ClassMarks) -> Overview:
    return Overview(members_of(marks), marks.max_points)


def test_mean_and_median_leave_out_absent_students() -> None:
    points = [student(f"s{at}", results(check("pass")), each) for at, each in enumerate((2.0, 4.0, 9.0))]

    overview = _overview(marks_of(*points, student("absent", None)))

    assert (overview.mean, overview.median, len(overview.absent)) == (5.0, 4.0, 1)


def test_an_empty_class_has_neither_mean_nor_median() -> None:
    assert (_overview(marks_of()).mean, _overview(marks_of()).median) == (None, None)


@pytest.mark.parametrize("points", [[], [0.0], [10.0], [0.0, 0.99, 1.0, 9.99, 10.0], [12.5], [3.3] * 40])
def test_every_mark_is_in_exactly_one_bin(points: list[float]) -> None:
    students = (student(f"s{at}", results(), each) for at, each in enumerate(points))

    bins = _overview(marks_of(*students)).bins

    assert sum(each.count for each in bins) == len(points)
    assert all(one.high == other.low for one, other in pairwise(bins))
    assert (bins[0].low, len(bins) <= 10) == (0.0, True)


def test_a_question_lists_the_students_who_need_a_first_or_a_new_manual_grade() -> None:
    def written(points: float | None, changed: bool = False) -> tuple[WrittenMark, ...]:
        return (WrittenMark("why", points, 2.0, changed),)

    marks = marks_of(
        student("ana", results(), written=written(2.0)),
        student("ben", results(), written=written(None)),
        student("carla", results(), written=written(1.0, changed=True)),
        student("absent", None, written=written(None)),
    )

    question = questions_of(members_of(marks))[0]

    assert (question.name, question.graded, [each.student for each in question.waiting]) == ("why", 1, ["ben", "carla"])


def test_students_of_a_task_are_counted_as_right_partly_right_or_not_written() -> None:
    both = [("pass", "pass"), ("pass", "fail"), ("skipped", "fail"), ("skipped", "skipped")]
    students = [
        student(f"s{at}", results(check(one, name="a"), check(other, name="b"))) for at, (one, other) in enumerate(both)
    ]

    task = tasks_of(members_of(marks_of(*students)))[0]

    assert (task.name, task.right, task.partly, task.unwritten) == ("words", 1, 2, 1)


def test_notes_on_one_student_come_before_notes_on_all() -> None:
    everybody = "A magic line was skipped."
    marks = marks_of(
        student("ana", results(notes=[everybody])),
        student("ben", results(notes=[everybody, "It tried to read the oracle."], limits_hit=["memory: 2500 MB"])),
    )

    notes = notes_of(members_of(marks))

    assert [(each.kind, each.sentence, len(each.who)) for each in notes] == [
        ("limit", "memory: 2500 MB", 1),
        ("note", "It tried to read the oracle.", 1),
        ("note", everybody, 2),
    ]


def test_a_flood_of_notes_is_cut() -> None:
    flood = [f"{at} " + "x" * 2_000 for at in range(50)]

    notes = notes_of(members_of(marks_of(student("ana", results(notes=flood)), student("ben", results(notes=flood)))))

    assert (len(notes), max(len(each.sentence) for each in notes)) == (40, 300)
