"""A results object can be read even if parts of it are missing."""

from collections.abc import Callable
from typing import Any

import pytest

from autograder.report.results_view import read_report
from autograder.sandbox import LEVELS

Results = dict[str, Any]


def test_tasks_keep_the_order_of_their_first_check_and_throughput_checks_come_last(
    sample: Callable[[str], Results],
) -> None:
    report = read_report(sample("every_verdict"))

    assert [task.name for task in report.tasks][:3] == ["words", "count_words", "word_counts"]
    assert [each.check for each in report.tasks[1].verdicts][-1] == "it_beats_the_slides_pipeline"


def test_the_points_of_the_tasks_add_up_to_the_score(sample: Callable[[str], Results]) -> None:
    report = read_report(sample("every_verdict"))

    assert sum(task.points for task in report.tasks) == report.points == 11.5
    assert sum(task.max_points for task in report.tasks) == report.max_points == 28


def test_a_throughput_check_that_is_also_listed_among_the_checks_is_counted_once(
    one_check: Callable[..., Results],
) -> None:
    throughput = {"task": "words", "check": "case_is_folded", "verdict": "fail", "points": 0, "max_points": 2}

    (task,) = read_report(one_check(ours={"throughput": [throughput]}, evidence={"hint": "Hint 1 of 3"})).tasks

    assert (task.checks, len(task.throughput_checks), task.max_points) == ([], 1, 2)
    assert task.throughput_checks[0].evidence.hint == "Hint 1 of 3"


def test_the_time_of_a_check_is_taken_from_timing(one_check: Callable[..., Results]) -> None:
    timed = one_check(ours={"timing": {"checks_s": {"words/case_is_folded": 0.25}}}, seconds=0.0)

    assert read_report(timed).tasks[0].checks[0].seconds == 0.25
    assert read_report(one_check(seconds=0.0)).tasks[0].checks[0].seconds is None


@pytest.mark.parametrize("results", [{}, {"streamlab": None}, {"streamlab": {"checks": [None, {}], "throughput": "x"}}])
def test_results_that_are_cut_short_can_be_read(results: Results) -> None:
    assert read_report(results).points == 0


@pytest.mark.parametrize("ratio", [float("nan"), float("inf"), 10**400, True, "1.5", None])
def test_a_ratio_that_is_not_a_finite_number_is_absent(ratio: object, one_check: Callable[..., Results]) -> None:
    report = read_report(one_check(ours={"throughput": [{"task": "words", "check": "throughput", "ratio": ratio}]}))

    assert report.throughput_checks[0].ratio is None


def test_a_pair_without_a_baseline_rate_is_left_out(one_check: Callable[..., Results]) -> None:
    samples = [[3.0, 2.0], [3.0, 0.0], [3.0, None], [3.0], "pair", [-1.0, 2.0]]

    (throughput,) = read_report(
        one_check(ours={"throughput": [{"task": "words", "check": "throughput", "samples": samples}]})
    ).throughput_checks

    assert [pair.ratio for pair in throughput.samples] == [1.5]


def test_an_unknown_verdict_is_an_error(one_check: Callable[..., Results]) -> None:
    assert read_report(one_check(verdict="passed!")).tasks[0].verdict == "error"


@pytest.mark.parametrize("level", [*LEVELS, "", None, 1, "Bubblewrap", "none", "docker"])
def test_only_the_levels_with_isolation_count_as_isolated(level: Any) -> None:
    assert read_report({"streamlab": {"sandbox": level}}).isolated == (level in ("bubblewrap", "container"))


def test_only_full_points_are_a_hundred_per_cent(one_check: Callable[..., Results]) -> None:
    assert read_report({**one_check(), "score": 27.9, "max_score": 28}).percent == 99
    assert read_report({**one_check(), "score": 28, "max_score": 28}).percent == 100


def test_fallbacks_may_be_sentences_or_objects_with_a_sentence(one_check: Callable[..., Results]) -> None:
    report = read_report(one_check(ours={"fallbacks": ["one", {"task": "words", "sentence": "two"}]}))

    assert report.fallbacks == ["one", "two"]
