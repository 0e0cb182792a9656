"""Bonus tasks are judged and are in no total; a solved whole earns the points of steps that are not written."""

from dataclasses import replace
from typing import Any

import pytest

from autograder.judge.results import bonus_points, extra_credit
from autograder.report.results_view import read_report
from tests.autograder.judge.tiny_kit import RIGHT, Kit, sentence, verdicts

LAB = "lab99_tiny"


def changed(kit: Kit, counting: str = "information", **tasks: dict[str, Any]) -> Kit:
    """Change fields of tasks of the kit's course."""
    course = kit.request.course
    lab = course.labs[LAB]
    new = {name: task.model_copy(update=tasks.get(name, {})) for name, task in lab.tasks.items()}
    labs = {LAB: lab.model_copy(update={"tasks": new})}
    kit.request = replace(kit.request, course=course.model_copy(update={"labs": labs, "bonus": counting}))
    return kit


@pytest.mark.parametrize(("counting", "in_gradescope"), [("information", 0), ("extra", 2)])
def test_a_bonus_task_is_in_no_total(kit: Kit, counting: str, in_gradescope: float) -> None:
    results = changed(kit, counting, triple={"bonus": True}).judge(*RIGHT.values())

    tests = {test["name"].split("/")[1]: test for test in results["tests"]}
    assert (results["score"], results["max_score"]) == (2, 2)
    assert (tests["triple"]["score"], tests["triple"]["max_score"]) == (in_gradescope, 0)
    assert results["streamlab"]["bonus"] == {"tasks": ["triple"], "is_extra_credit": counting == "extra"}
    assert bonus_points(results) == 2
    assert (extra_credit(results, "triple"), extra_credit(results, "double")) == (in_gradescope, 0)


def test_a_wrong_bonus_task_costs_nothing(kit: Kit) -> None:
    results = changed(kit, triple={"bonus": True}).judge(RIGHT["double"], "def triple(x):\n    return x")

    assert (results["score"], results["max_score"], bonus_points(results)) == (2, 2, 0)
    assert verdicts(results) == {"double": "pass", "triple": "fail"}


@pytest.mark.parametrize(
    ("counting", "where"), [("information", "not in the mark"), ("extra", "added to the mark as extra credit")]
)
def test_the_report_shows_the_bonus_apart(kit: Kit, counting: str, where: str) -> None:
    report = read_report(changed(kit, counting, triple={"bonus": True}).judge(*RIGHT.values()))

    assert (report.points, report.passed, report.count) == (2, 1, 1)
    assert report.bonus == f"★ Bonus: 2 of 2 points, {where}."
    assert [task.label for task in report.tasks] == ["double", "★ triple"]


def test_a_solved_whole_earns_the_points_of_an_unwritten_step(kit: Kit) -> None:
    stub = 'def double(x):\n    raise NotImplementedError("double: later")'
    steps = changed(kit, double={"step_of": "triple"})

    for cells in ([RIGHT["triple"]], [stub, RIGHT["triple"]]):
        results = steps.judge(*cells)
        assert results["score"] == 4
        assert sentence(results, "double") == "double is a step of triple, which passes every check without it."


@pytest.mark.parametrize(
    ("double", "triple", "score"),
    [
        ("def double(x):\n    return 7", RIGHT["triple"], 2),  # tried, and wrong
        ('def double(x):\n    raise NotImplementedError("double: later")', "def triple(x):\n    return x", 0),
        (RIGHT["double"], "def triple(x):\n    return x", 2),
    ],
)
def test_a_step_that_was_tried_or_whose_whole_fails_is_judged_alone(
    kit: Kit, double: str, triple: str, score: float
) -> None:
    assert changed(kit, double={"step_of": "triple"}).judge(double, triple)["score"] == score
