"""Judging a class again shows gains and losses, and writes nothing before it is asked to."""

import dataclasses
from typing import Any

import pytest

from autograder.checks import Mismatch, StageChecks, ThroughputCheck
from autograder.classroom import cached_results
from autograder.course.model import Lab
from autograder.grading.regrade import (
    changes,
    differing,
    regrade_class,
    take_over,
    throughput_count,
    with_throughput_of,
)
from autograder.judge.ratio import Ratio
from autograder.judge.results import _throughput
from autograder.judge.submission_checks import load_agreed_stage as load_original_stage
from autograder.judge.throughput import _judged
from tests.autograder.grading.test_class_grading import grade, scores
from tests.autograder.tiny_class import LAB


def test_judging_again_shows_gains_and_losses_and_writes_only_when_asked_to(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    grade(tiny_class)
    monkeypatch.setattr(cached_results, "digest_of_judging", lambda root, lab: "others")
    monkeypatch.setattr("autograder.judge.submission_checks.load_agreed_stage", _with_triple_as_the_number_itself())

    graded = regrade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    found = {each.student: each.gain for each in changes(tiny_class.classroom, LAB, graded.students)}

    assert found == {"ada": -2, "ben": 2}
    assert scores(tiny_class) == {"ada": 4, "ben": 2}
    take_over(tiny_class.classroom, LAB, graded.students)
    assert scores(tiny_class) == {"ada": 2, "ben": 4}


def test_judging_again_continues_where_it_was_stopped(tiny_class) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    on_progress: list[str] = []
    regrade_class(tiny_class.classroom, LAB, tiny_class.request(), on_progress.append)

    regrade_class(tiny_class.classroom, LAB, tiny_class.request(), on_progress.append)

    assert len(on_progress) == 1


def _with_triple_as_the_number_itself() -> Any:
    def corrected(case: dict[str, Any], rows: dict[str, Any]) -> Mismatch | None:
        return None if rows["got"] == case["number"] else Mismatch("not the number itself")

    def load(lab: str, course: Any) -> StageChecks:
        stage = load_original_stage(lab, course)
        checks = [
            dataclasses.replace(each, judge=corrected) if each.task == "triple" else each for each in stage.checks
        ]
        return dataclasses.replace(stage, checks=checks)

    return load


MEASURED = {"task": "words", "check": "fast", "ratio": 2.0, "baseline": "plain", "threshold": 1.25, "max_points": 3.0}


def result(throughput: dict[str, Any] | None, *scores: float) -> dict[str, Any]:
    tests = [{"name": f"lab/words/check{at}", "score": score, "max_score": 1.0} for at, score in enumerate(scores)]
    throughput_checks = [MEASURED if throughput is None else throughput]
    if throughput is None:
        tests.append({"name": "lab/words/fast", "score": 3.0, "max_score": 3.0})
    return {
        "score": sum(test["score"] for test in tests),
        "max_score": sum(test["max_score"] for test in tests),
        "tests": tests,
        "streamlab": {"lab": "lab", "checks": [], "throughput": throughput_checks, "notes": ["other"], "ungraded": []},
    }


def test_an_earlier_throughput_check_is_carried_over_with_its_points() -> None:
    before, after = result(None, 1, 0), result(None, 1, 1)
    after["tests"], after["streamlab"]["throughput"] = after["tests"][:-1], []

    merged = with_throughput_of(before, after)

    assert merged["score"] == 5
    assert merged["max_score"] == 5
    assert merged["streamlab"]["notes"] == ["other"]
    assert differing(before, merged) == ["words/check1: 0 → 1"]


def test_regrading_keeps_the_order_of_the_tests() -> None:
    before = result(None, 1, 0)
    before["tests"] += [{"name": f"lab/{name}", "score": 1.0, "max_score": 1.0} for name in ("lines/right", "last/one")]
    after = {**before, "tests": [test for test in before["tests"] if test["name"] != "lab/words/fast"]}

    merged = with_throughput_of(before, after)

    assert [test["name"] for test in merged["tests"]] == [test["name"] for test in before["tests"]]


def test_a_new_check_is_listed_with_no_points_before() -> None:
    assert differing({"tests": []}, {"tests": [{"name": "lab/words/new", "score": 1.0}]}) == ["words/new: none → 1"]


@pytest.mark.parametrize(
    ("throughput", "counts"),
    [
        ({}, True),
        ({"ratio": None}, False),
        ({"threshold": 1.5}, False),
        ({"max_points": 2.0}, False),
        ({"baseline": "plain_loop"}, False),
    ],
    ids=["as today", "not run", "other threshold", "other points", "other baseline"],
)
def test_an_earlier_throughput_check_counts_with_todays_rule(throughput: dict[str, Any], counts: bool) -> None:
    assert throughput_count(result(MEASURED | throughput), lab_with_throughput_check()) is counts


@pytest.mark.parametrize("ratio", [Ratio(2.0, 1.9, 2.1), Ratio(1.0, 0.9, 1.1), Ratio(1.25, 1.0, 1.5)])
def test_a_measurement_of_the_judge_counts_with_the_rule_that_it_was_made_with(ratio: Ratio) -> None:
    check = ThroughputCheck("words", "fast", lambda content, rows: None, lambda seed: (b"", 1), "lab")
    lab = lab_with_throughput_check()
    rule = lab.tasks["words"].throughput
    assert rule is not None

    measured = _throughput(_judged(check, rule, ratio, []))

    assert throughput_count(result(measured), lab)


def test_a_throughput_check_of_an_earlier_release_without_its_baselines_name_does_not_count() -> None:
    measured = {name: value for name, value in MEASURED.items() if name != "baseline"}
    measured["sentence"] = "Yours ran at 2.00× the rate of plain; the threshold is 1.25×."

    assert not throughput_count(result(measured), lab_with_throughput_check())


def lab_with_throughput_check() -> Lab:
    task = {"checks": {"check0": 1}, "throughput": {"baseline": "plain", "threshold": 1.25, "points": 3}}
    return Lab(title="x", minutes=1, points=4, tasks={"words": task})
