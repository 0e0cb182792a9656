"""One mistake gets one message: what another failing check of the task explains waits for that check."""

import pytest

from autograder.checks import Case, Check, Mismatch, Rows
from autograder.checks.registry import StageChecks, claim
from autograder.judge.jobs import plan_for
from autograder.judge.verdicts import Verdict
from autograder.judge.waits import with_waits


def agrees(case: Case, rows: Rows) -> Mismatch | None:
    return None


def checks_of(after: dict[str, tuple[str, ...]]) -> StageChecks:
    cases = {name: (lambda seed, name=name: [{"of": name}]) for name in after}
    return StageChecks("any_lab", [claim("t", n, cases=cases[n], judge=agrees, after=after[n]) for n in after])


def verdict(check: str, kind: str) -> Verdict:
    points = 1.0 if kind == "pass" else 0.0
    return Verdict("t", check, check.replace("_", " "), kind, points, 1.0, "Expected 1; yours is 2.", {"got": "2"})


def waiting(checks: StageChecks, verdicts: list[Verdict]) -> dict[str, str]:
    return {each.check: each.waits_for for each in with_waits(checks.in_order("t"), verdicts)}


@pytest.mark.parametrize(
    ("kinds", "waits_for"),
    [
        (("fail", "fail", "fail"), ("", "first", "first")),  # the cause of a cause
        (("pass", "fail", "fail"), ("", "", "second")),
        (("error", "fail", "pass"), ("", "first", "")),  # a check that passes stays passed
        (("timeout", "pass", "fail"), ("", "", "first")),  # "third" comes after "first", too
        (("fail", "error", "timeout"), ("", "", "")),  # these say where the code stopped
        (("inconclusive", "fail", "fail"), ("", "", "second")),  # nobody knows whether "first" fails
        (("skipped", "skipped", "skipped"), ("", "", "")),  # the task is not written yet
    ],
)
def test_a_failure_waits_for_the_check_that_explains_it(kinds: tuple[str, ...], waits_for: tuple[str, ...]) -> None:
    checks = checks_of({"third": ("second",), "second": ("first",), "first": ()})
    verdicts = [verdict(name, kind) for name, kind in zip(("first", "second", "third"), kinds, strict=True)]

    assert tuple(waiting(checks, verdicts).values()) == waits_for


def test_a_check_that_waits_names_the_other_one_and_shows_no_evidence() -> None:
    checks = checks_of({"in_order": (), "all_at_once": ("in_order",)})

    (_, waits) = with_waits(checks.in_order("t"), [verdict("in_order", "fail"), verdict("all_at_once", "fail")])

    assert (waits.verdict, waits.points, waits.max_points, waits.evidence) == ("skipped", 0.0, 1.0, {})
    assert waits.sentence == 'Not judged until "in order" passes. Fix that one first.'


def test_the_cases_of_a_check_come_after_those_of_the_checks_that_it_waits_for() -> None:
    checks = checks_of({"survives_a_kill": ("small", "smaller"), "small": ("smaller",), "smaller": ()})

    (job,) = plan_for(checks, "seed", ["t"]).jobs

    assert [case.input["of"] for case in job.cases] == ["smaller", "small", "survives_a_kill"]


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        ({"a": ("b",)}, "a comes after b, which is no check of t"),
        ({"a": ("b",), "b": ("a",)}, "t: checks wait for each other: a, b, a"),
        ({"a": ("a",)}, "t: checks wait for each other: a, a"),
    ],
)
def test_checks_that_cannot_wait_for_each_other_are_rejected(after: dict[str, tuple[str, ...]], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        checks_of(after).in_order("t")


def test_one_name_can_stand_for_a_list_of_one() -> None:
    one = claim("t", "b", cases=lambda seed: [], judge=agrees, after="a")

    assert isinstance(one, Check)
    assert one.after == ("a",)
