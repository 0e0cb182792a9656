"""Regrading keeps a measurement only for the same work and the same rule, and a later run measures what is missing.

The judge is replaced by one that gives all points, and at each measurement the full points of the throughput check.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from autograder.classroom import cached_results
from autograder.classroom.cached_results import CachedResult
from autograder.classroom.class_judge import provenance_now
from autograder.classroom.folder import Classroom, HandedIn
from autograder.course import ThroughputRule
from autograder.grading import class_grading, regrade
from autograder.judge.request import Request
from tests.autograder.tiny_class import LAB, TinyClass

BROKEN = "def double(n):\n    return 7"
RULE = ThroughputRule(baseline="plain", threshold=1.25, points=3)


class MeasuredClass:
    """A tiny class with a throughput check; `judged` has (student, whether measured) of each judging."""

    def __init__(self, tiny: TinyClass) -> None:
        self.tiny, self.judged = tiny, list[tuple[str, bool]]()
        self.classroom = tiny.classroom
        self.change_rule()

    def change_rule(self, **changed: Any) -> None:
        """Change the rule of the throughput check in course.yml."""
        course = self.classroom.course
        lab = course.labs[LAB]
        double = lab.tasks["double"].model_copy(update={"throughput": RULE.model_copy(update=changed)})
        lab = lab.model_copy(update={"tasks": {**lab.tasks, "double": double}})
        course = course.model_copy(update={"labs": {**course.labs, LAB: lab}})
        self.classroom = replace(self.classroom, course=course)

    def judge(
        self, classroom: Classroom, lab: str, work: Sequence[HandedIn], request: Request
    ) -> Iterator[tuple[HandedIn, CachedResult]]:
        """Replace `judge_submissions`."""
        for each in work:
            self.judged.append((each.student, request.throughput))
            now = provenance_now(classroom, lab, each, request.throughput)
            yield each, CachedResult(now, self._results(request.throughput))

    def _results(self, measured: bool) -> dict[str, Any]:
        rule = self.classroom.course.labs[LAB].tasks["double"].throughput
        assert rule is not None
        entry = {"task": "double", "check": "fast", "ratio": 2.0}
        entry |= {"baseline": rule.baseline, "threshold": rule.threshold, "max_points": rule.points}
        tests = [{"name": f"{LAB}/double/twice_the_number", "score": 4.0, "max_score": 4.0}]
        tests += [{"name": f"{LAB}/double/fast", "score": rule.points, "max_score": rule.points}] * measured
        score = sum(test["score"] for test in tests)
        ours = {"lab": LAB, "checks": [], "throughput": [entry] * measured, "ungraded": [], "timing": {}}
        return {"score": score, "max_score": score, "tests": tests, "streamlab": ours}

    def grade(self, throughput: bool = True) -> list[str]:
        """Run `./lab grade`; return who was judged."""
        return class_grading.grade_class(self.classroom, LAB, self._request(throughput), lambda text: None).judged

    def regrade(self, throughput: bool, accepted: bool = True) -> list[tuple[str, bool]]:
        """Run `./lab grade --again`; return who was judged, and whether with throughput."""
        already = len(self.judged)
        graded = regrade.regrade_class(self.classroom, LAB, self._request(throughput), lambda text: None)
        if accepted:
            regrade.take_over(self.classroom, LAB, graded.students)
        return self.judged[already:]

    def score(self, student: str) -> float:
        """Return the student's points."""
        found = cached_results.load(self.classroom.results_of(LAB, student))
        assert found is not None
        return float(found.results["score"])

    def _request(self, throughput: bool) -> Request:
        return replace(self.tiny.request(), course=self.classroom.course, throughput=throughput)


@pytest.fixture
def measured_class(tiny_class: TinyClass, monkeypatch: pytest.MonkeyPatch) -> MeasuredClass:
    """A tiny class with a throughput check, and with the judge replaced."""
    measured = MeasuredClass(tiny_class)
    for module in (class_grading, regrade):
        monkeypatch.setattr(module, "judge_submissions", measured.judge)
    return measured


@pytest.mark.parametrize("throughput", [False, True], ids=["--no-throughput", "with throughput"])
def test_the_same_notebook_keeps_its_measurement(measured_class: MeasuredClass, throughput: bool) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade()

    assert measured_class.regrade(throughput) == [("ada", False)]
    assert measured_class.score("ada") == 7
    assert measured_class.grade() == []


def test_a_new_notebook_does_not_get_the_throughput_points_of_the_old_one(measured_class: MeasuredClass) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade()
    measured_class.tiny.hand_in("ada", double=BROKEN)

    measured_class.regrade(throughput=False)

    assert measured_class.score("ada") == 4
    assert measured_class.grade() == ["ada"]
    assert measured_class.judged[-1] == ("ada", True)


CHANGES = [{"baseline": "plain_loop"}, {"threshold": 1.5}, {"points": 2}]


@pytest.mark.parametrize("changed", CHANGES, ids=["baseline", "threshold", "points"])
def test_a_measurement_by_another_rule_is_not_kept(measured_class: MeasuredClass, changed: dict[str, Any]) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade()
    measured_class.change_rule(**changed)

    assert measured_class.regrade(throughput=False) == [("ada", False)]
    assert measured_class.score("ada") == 4
    assert measured_class.grade() == ["ada"]


@pytest.mark.parametrize("changed", CHANGES, ids=["baseline", "threshold", "points"])
def test_regrading_measures_again_if_the_rule_has_changed(
    measured_class: MeasuredClass, changed: dict[str, Any]
) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade()
    measured_class.change_rule(**changed)

    assert measured_class.regrade(throughput=True) == [("ada", True)]


def test_a_pending_result_without_throughput_does_not_replace_a_measurement(measured_class: MeasuredClass) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade()
    measured_class.tiny.hand_in("ben")
    measured_class.regrade(throughput=False, accepted=False)

    assert measured_class.regrade(throughput=True) == [("ben", True)]  # ada keeps the earlier measurement
    assert (measured_class.score("ada"), measured_class.score("ben")) == (7, 7)


def test_a_pending_measurement_also_counts_without_throughput(measured_class: MeasuredClass) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.regrade(throughput=True, accepted=False)

    assert measured_class.regrade(throughput=False) == []
    assert measured_class.score("ada") == 7


def test_regrading_measures_who_was_graded_without_throughput(measured_class: MeasuredClass) -> None:
    measured_class.tiny.hand_in("ada")
    measured_class.grade(throughput=False)

    assert measured_class.regrade(throughput=False) == [("ada", False)]
    assert measured_class.regrade(throughput=True) == [("ada", True)]


def test_a_lab_can_be_regraded_before_it_was_ever_graded(measured_class: MeasuredClass) -> None:
    measured_class.tiny.hand_in("ada")

    measured_class.regrade(throughput=True)

    assert measured_class.score("ada") == 7
