"""A check that the judge could not decide stays open: the others count, and it is judged again, three times at most."""

from collections.abc import Callable
from typing import Any

import pytest

from autograder.classroom import cached_results
from autograder.classroom.open_checks import TRIES_MAX, with_decided
from autograder.grading.class_grading import Graded, grade_class
from autograder.grading.regrade import regrade_class, take_over
from autograder.judge.driver import Driver
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.results import open_checks
from autograder.record.gradebook import Recorder
from autograder.report.results_view import read_report

LAB = "lab99_tiny"
BUSY = Outcome("ungraded", message="this machine is too busy")
DOUBLE = "double/twice_the_number"


@pytest.fixture
def spoil(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[list[str]]]:
    """Return a function that lets `count` runs leave the cases of `double` open; it returns the tasks of each run."""

    def spoil(count: int) -> list[list[str]]:
        driven_tasks: list[list[str]] = []
        run = Driver.run

        def spoiled(driver: Driver, *arguments: Any) -> Driven:
            of_double = driver.cases_of.get("double", [])
            driven_tasks.append(list(driver.cases_of))
            driven = run(driver, *arguments)
            if of_double and len(driven_tasks) <= count:
                driven.outcomes.update(dict.fromkeys(of_double, BUSY))
            return driven

        monkeypatch.setattr(Driver, "run", spoiled)
        return driven_tasks

    return spoil


def grade(tiny_class: Any) -> Graded:
    return grade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)


def cached(tiny_class: Any) -> cached_results.CachedResult:
    found = cached_results.load(tiny_class.classroom.results_of(LAB, "ada"))
    assert found is not None
    return found


def test_only_open_checks_are_judged_again_at_once_and_the_others_keep_their_verdicts(tiny_class, spoil) -> None:
    tiny_class.hand_in("ada", triple="def triple(n):\n    return n")
    driven_tasks = spoil(1)

    graded = grade(tiny_class)

    assert driven_tasks == [["double", "triple"], ["double"]]
    assert (graded.judged, graded.problems) == (["ada"], [])
    results = cached(tiny_class).results
    assert (results["score"], results["max_score"], open_checks(results)) == (2, 4, {})
    assert [test["score"] for test in results["tests"]] == [2, 0]
    assert results["streamlab"]["ungraded"] == []


def test_after_three_tries_the_check_needs_a_manual_grade_and_is_not_judged_any_more(tiny_class, spoil) -> None:
    tiny_class.hand_in("ada")
    driven_tasks = spoil(99)

    [problem] = grade(tiny_class).problems

    assert len(driven_tasks) == TRIES_MAX
    assert problem.startswith(f"ada: 2 points still to be judged after 3 tries ({DOUBLE}: double could not be judged")
    assert f"`./lab mark {LAB}`" in problem
    results = cached(tiny_class).results
    assert (results["score"], results["max_score"], open_checks(results)) == (2, 2, {DOUBLE: 2.0})
    assert "2 points still to be judged" in read_report(results).score.in_words
    assert grade(tiny_class).problems == [problem]
    assert len(driven_tasks) == TRIES_MAX


def test_a_stop_between_two_tries_continues_with_the_next_try(tiny_class, spoil) -> None:
    tiny_class.hand_in("ada")
    driven_tasks = spoil(99)
    grade(tiny_class)
    path = tiny_class.classroom.results_of(LAB, "ada")
    found = cached(tiny_class)
    cached_results.keep(path, cached_results.CachedResult(found.provenance, found.results, tries=2))

    grade(tiny_class)

    assert len(driven_tasks) == TRIES_MAX + 1
    assert cached(tiny_class).tries == TRIES_MAX


def test_regrading_tries_again(tiny_class, spoil) -> None:
    tiny_class.hand_in("ada")
    spoil(TRIES_MAX)
    grade(tiny_class)

    graded = regrade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    take_over(tiny_class.classroom, LAB, graded.students)

    assert open_checks(cached(tiny_class).results) == {}
    assert cached(tiny_class).results["score"] == 4


def test_the_gradebook_asks_for_a_manual_grade_of_the_task_until_somebody_gives_one(tiny_class, spoil) -> None:
    tiny_class.hand_in("ada")
    spoil(99)
    grade(tiny_class)
    recorder = Recorder(tiny_class.classroom)
    recorder.release(LAB)
    recorder.record(LAB, "ada")
    [before] = recorder.marks(LAB).students

    with recorder.open() as gradebook:
        cell = gradebook.find_grade("check-double", LAB, LAB, "ada")
        needed = cell.needs_manual_grade
        cell.manual_score = 1.5
        cell.needs_manual_grade = False
        gradebook.db.commit()
    recorder.record(LAB, "ada")
    [after] = recorder.marks(LAB).students

    assert needed
    assert before.judged_points == 2
    assert ("double", None, 2.0) in [(each.question, each.points, each.max_points) for each in before.written]
    assert (after.judged_points, "double" in [each.question for each in after.written]) == (3.5, False)


def test_a_check_that_was_decided_keeps_its_verdict(tiny_class) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    before = cached(tiny_class).results

    worse = {**before, "tests": [{**test, "score": 0} for test in before["tests"]]}

    assert with_decided(before, worse) == before
