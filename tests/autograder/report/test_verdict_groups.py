"""Verdicts that share one message, tasks grouped by the attention they need, and the limit of a timeout."""

from collections.abc import Callable
from typing import Any

import pytest

from autograder.report.results_view import Report, read_report
from autograder.report.verdict_groups import by_attention, time_limit, with_one_message

Results = dict[str, Any]
LATE = "near timed out: no answer within 60 s."


def _check(name: str, verdict: str, sentence: str = "", task: str = "near", case: str = "") -> Results:
    return {
        "task": task,
        "check": name,
        "verdict": verdict,
        "sentence": sentence,
        "evidence": {"smallest_case": case} if case else {},
    }


def _report(*checks: Results) -> Report:
    return read_report({"streamlab": {"lab": "lab02_windows", "checks": list(checks)}})


def _names(*checks: Results) -> list[list[str]]:
    return [[each.check for each in alike] for alike in with_one_message(_report(*checks).tasks[0].verdicts)]


def test_timeouts_of_one_task_share_one_message_even_with_different_smallest_cases() -> None:
    assert _names(_check("a", "timeout", LATE, case="1"), _check("b", "timeout", LATE, case="2")) == [["a", "b"]]


def test_failures_in_different_cases_have_separate_messages() -> None:
    assert _names(_check("a", "fail", "no", case="1"), _check("b", "fail", "no", case="2")) == [["a"], ["b"]]
    assert _names(_check("a", "fail", "no", case="1"), _check("b", "fail", "no", case="1")) == [["a", "b"]]


def test_only_adjacent_verdicts_share_a_message() -> None:
    alike = _check("a", "skipped", "not yet"), _check("b", "pass"), _check("c", "skipped", "not yet")

    assert _names(*alike) == [["a"], ["b"], ["c"]]


def test_passes_stay_separate_since_they_have_no_message() -> None:
    assert _names(_check("a", "pass", "True."), _check("b", "pass", "True.")) == [["a"], ["b"]]


def test_tasks_are_grouped_by_the_attention_they_need() -> None:
    report = _report(
        _check("a", "pass", task="right"),
        _check("a", "skipped", task="open"),
        _check("a", "pass", task="partly"),
        _check("b", "skipped", task="partly"),
        _check("a", "timeout", task="late"),
    )

    found = by_attention(report)

    assert [task.name for task in found.wrong] == ["partly", "late"]
    assert [task.name for task in found.not_written] == ["open"]
    assert [task.name for task in found.passing] == ["right"]


@pytest.mark.parametrize(
    ("verdict", "sentence", "limit"),
    [
        ("timeout", LATE, "60 s"),
        ("timeout", "Its cases took over 54.5 s, its share of the time for the whole notebook.", "54.5 s"),
        ("timeout", "over the time limit of 600 s for the whole notebook", "600 s"),
        ("timeout", "No answer came.", ""),
        ("fail", LATE, ""),  # nothing ran into a limit
    ],
)
def test_a_timeout_names_its_limit(verdict: str, sentence: str, limit: str) -> None:
    (task,) = _report(_check("a", verdict, sentence)).tasks

    assert time_limit(task.checks[0]) == limit


def test_the_samples_lose_no_verdict(sample: Callable[[str], Results]) -> None:
    for task in read_report(sample("every_verdict")).tasks:
        assert [each for alike in with_one_message(task.verdicts) for each in alike] == task.verdicts
