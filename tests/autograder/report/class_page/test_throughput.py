"""Throughput checks of a class: the ratio of each student, and students without one."""

import pytest

from autograder.report.class_page.members import members_of
from autograder.report.class_page.throughput import ThroughputOfClass, throughput_of_class
from tests.autograder.report.class_page.conftest import check, marks_of, results, student, throughput


def _throughput(*ratios: float | None) -> ThroughputOfClass:
    students = [
        student(f"s{at}", results(check("pass"), throughput=[throughput(each)])) for at, each in enumerate(ratios)
    ]
    return throughput_of_class(members_of(marks_of(*students)))[0]


def test_the_highest_ratio_comes_first() -> None:
    assert [each.ratio for each in _throughput(1.0, 2.5, 1.6).runs] == [2.5, 1.6, 1.0]


@pytest.mark.parametrize(
    ("ratios", "sentence"),
    [
        ((1.0, 2.5, 1.25), "3 ratios from 1.00 to 2.50, median 1.25; 2 of 3 are at or over the threshold of 1.25."),
        ((0.9,), "One ratio, 0.90; 0 of 1 are at or over the threshold of 1.25."),
        ((None,), "No ratio was measured."),
    ],
)
def test_the_distribution_is_described_in_words(ratios: tuple[float | None, ...], sentence: str) -> None:
    assert _throughput(*ratios).in_words == sentence


def test_throughput_checks_without_a_ratio_keep_their_reason() -> None:
    lost = throughput(None, "fail", "The throughput check was not finished: words gave a wrong result.")
    unwritten = throughput(None, "skipped", "The throughput check is run once words gives an answer.")
    students = [
        student("ana", results(check("pass"), throughput=[lost])),
        student("ben", results(check("pass"), throughput=[unwritten])),
    ]

    found = throughput_of_class(members_of(marks_of(*students)))[0]

    assert [each.sentence for each in found.without.kinds] == [lost["sentence"]]
    assert [each.student for each in found.without.unwritten] == ["ben"]
    assert found.runs == []


def test_a_class_without_throughput_checks_shows_none() -> None:
    assert throughput_of_class(members_of(marks_of(student("ana", results(check("pass")))))) == []
