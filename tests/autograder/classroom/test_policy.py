"""The rules of a policy: when work is late, what it costs, and which points the course keeps."""

from datetime import UTC, datetime, timedelta

import pytest

from autograder.classroom.policy import LateRule, Policy
from tests.autograder.tiny_class import LAB, TinyClass

DUE = datetime(2026, 10, 5, 22, 0, tzinfo=UTC)
POLICY = Policy(
    due={"lab": DUE}, late=LateRule(0.1, timedelta(hours=2), 0.5), extensions={("s17", "lab"): timedelta(days=3)}
)


@pytest.mark.parametrize(
    ("hours", "days"),
    [
        (-1, 0),
        (0, 0),
        (2, 0),  # the grace period includes its end
        (2.1, 1),  # and days count from the due date, not from the end of the grace period
        (24, 1),
        (24.1, 2),
    ],
)
def test_started_days_count_after_the_grace_period(hours: float, days: int) -> None:
    assert POLICY.days_late("lab", "s1", DUE + timedelta(hours=hours)) == days


def test_an_extension_moves_the_due_date_of_one_student() -> None:
    submitted_at = DUE + timedelta(days=3)

    assert POLICY.days_late("lab", "s1", submitted_at) == 3
    assert POLICY.days_late("lab", "s17", submitted_at) == 0
    assert POLICY.days_late("another", "s1", submitted_at) == 0
    assert Policy(due={"lab": DUE}).days_late("lab", "s1", submitted_at) == 0  # no `late:`


@pytest.mark.parametrize(
    ("days", "points", "penalty"),
    [
        (0, 31.0, 0.0),
        (1, 31.0, 3.0),  # 3.1
        (2, 31.0, 6.25),  # 6.2
        (1, 1.25, 0.25),  # 0.125 is rounded up
        (9, 31.0, 15.5),  # the floor
        (1, 0.0, 0.0),
    ],
)
def test_a_penalty_is_a_part_of_the_points_rounded_to_a_quarter(days: int, points: float, penalty: float) -> None:
    assert POLICY.penalty(days, points) == penalty


def test_what_is_not_graded_leaves_the_labs_points(tiny_class: TinyClass) -> None:
    policy = Policy(ungraded={"triple": frozenset({"three_times_the_number"})})

    course = policy.graded_course(tiny_class.classroom.course)

    assert (course.labs[LAB].points, tiny_class.classroom.course.labs[LAB].points) == (5.0, 7.0)
    assert course.labs[LAB].tasks["triple"].points == 0.0
