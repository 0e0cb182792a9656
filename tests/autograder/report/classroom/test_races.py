"""Races of a class: everybody's ratio, and those without one."""

import pytest

from autograder.report.classroom.members import members_of
from autograder.report.classroom.races import RaceOfClass, races_of_class
from tests.autograder.report.classroom.conftest import check, marks_of, race, results, student


def _race(*ratios: float | None) -> RaceOfClass:
    students = [student(f"s{at}", results(check("pass"), races=[race(each)])) for at, each in enumerate(ratios)]
    return races_of_class(members_of(marks_of(*students)))[0]


def test_the_fastest_comes_first() -> None:
    assert [each.ratio for each in _race(1.0, 2.5, 1.6).runs] == [2.5, 1.6, 1.0]


@pytest.mark.parametrize(
    ("ratios", "told"),
    [
        (
            (1.0, 2.5, 1.25),
            "3 ratios from 1.00 to 2.50, median 1.25; 2 of 3 are at or over the bar of 1.25.",
        ),
        ((0.9,), "One ratio, 0.90; 0 of 1 are at or over the bar of 1.25."),
        ((None,), "No ratio was measured."),
    ],
)
def test_the_distribution_is_told_in_words(ratios: tuple[float | None, ...], told: str) -> None:
    assert _race(*ratios).told == told


def test_races_without_a_ratio_keep_their_reason() -> None:
    lost = race(None, "fail", "The race was not finished: words gave a wrong result.")
    unwritten = race(None, "skipped", "The race is run once words gives an answer.")
    students = [
        student("ana", results(check("pass"), races=[lost])),
        student("ben", results(check("pass"), races=[unwritten])),
    ]

    found = races_of_class(members_of(marks_of(*students)))[0]

    assert [each.sentence for each in found.without.kinds] == [lost["sentence"]]
    assert [each.student for each in found.without.unwritten] == ["ben"]
    assert found.runs == []


def test_a_class_that_was_not_raced_has_no_races() -> None:
    assert races_of_class(members_of(marks_of(student("ana", results(check("pass")))))) == []
