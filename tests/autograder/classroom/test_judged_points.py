"""A result that was judged with other points than those of course.yml is recognized, by each changed check."""

from typing import Any

import pytest

from autograder.classroom.judged_points import changed_points, spoken, total_of
from autograder.course import Lab

RULE = {"baseline": "plain", "threshold": 1.25, "points": 3}


def lab(checks: dict[str, float] | None = None, throughput: float = 3, written: float = 4, more: bool = False) -> Lab:
    found = {"right": 2.0, "empty": 1.0} if checks is None else checks
    tasks: dict[str, Any] = {"words": {"checks": found, "throughput": {**RULE, "points": throughput}}}
    tasks |= {"lines": {"checks": {"right": 1}}} if more else {}
    points = sum(found.values()) + throughput + written + more
    return Lab.model_validate(
        {"title": "x", "minutes": 1, "points": points, "tasks": tasks, "written": {"why": written}}
    )


def results(measured: bool = True, total: float | None = 10) -> dict[str, Any]:
    """Return results with points as `lab()` has them; release 2026.1 did not record the total."""
    points = {"right": 2.0, "empty": 1.0} | ({"fast": 3.0} if measured else {})
    judged = [{"task": "words", "check": check, "points": 0.0, "max_points": most} for check, most in points.items()]
    return {
        "streamlab": {
            "checks": judged[:2],
            "throughput": judged[2:],
            **({"points": {"lab": total}} if total is not None else {}),
        }
    }


@pytest.mark.parametrize("measured", [True, False])
@pytest.mark.parametrize("total", [10, None])
def test_points_as_today_are_not_a_change(measured: bool, total: float | None) -> None:
    assert changed_points(results(measured, total), lab()) == []


@pytest.mark.parametrize(
    ("today", "changed"),
    [
        (lab({"right": 3, "empty": 1}), ["words/right: 2 → 3"]),
        (lab({"right": 1.5, "empty": 1.5}), ["words/right: 2 → 1.5", "words/empty: 1 → 1.5"]),
        (lab({"right": 2}), ["words/empty: 1 → none"]),
        (lab({"right": 2, "empty": 1, "new": 1}), ["words/new: none → 1"]),
        (lab(throughput=2), ["words/fast: 3 → 2"]),
        (lab(more=True), ["lines/right: none → 1"]),
        (lab(written=5), ["the whole lab: 10 → 11"]),
    ],
)
def test_each_changed_check_is_named_with_its_points_then_and_now(today: Lab, changed: list[str]) -> None:
    assert changed_points(results(), today) == changed


def test_a_check_that_is_still_to_be_judged_has_its_points_as_today() -> None:
    judged = results()
    judged["streamlab"]["checks"][0] |= {"max_points": 0.0}
    judged["streamlab"] |= {"open": {"words/right": 2.0}}

    assert changed_points(judged, lab()) == []
    assert changed_points(judged, lab({"right": 3, "empty": 1})) == ["words/right: 2 → 3"]


def test_a_throughput_check_that_was_not_run_changes_the_whole_lab() -> None:
    assert changed_points(results(measured=False), lab(throughput=2)) == ["the whole lab: 10 → 9"]


def test_the_changes_of_all_students_are_told_once_and_three_at_most() -> None:
    assert spoken({"ada": ["a: 1 → 2", "b: 1 → 2"], "ben": ["a: 1 → 2"]}) == "a: 1 → 2, b: 1 → 2"
    assert spoken({"ada": list("abcde")}) == "a, b, c, and 2 more"


def test_the_total_of_a_result_of_release_2026_1_is_not_known() -> None:
    assert (total_of(results(total=None)), total_of(results())) == (None, 10)
