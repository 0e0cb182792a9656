"""A lab that builds on another uses the learner's own earlier task, or the reference as a fallback, and says which."""

from pathlib import Path
from typing import Any

import pytest

from autograder.checks import StageChecks
from autograder.course import CourseError, load_course
from autograder.judge import submission_checks
from autograder.judge.submission_checks import load_agreed_stage
from tests.autograder.judge.chained_kit import (
    DOUBLE,
    EARLIER,
    LAST,
    LATER,
    SIX,
    WRONG,
    add_last_lab,
    chain_check,
    handed_in,
    judged,
    reference,
)


def test_the_own_earlier_task_is_used_if_it_passes(chained_root: Path) -> None:
    handed_in(chained_root, EARLIER, DOUBLE)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert (results["score"], results["streamlab"]["fallbacks"]) == (3, [])


def test_the_reference_is_the_fallback_if_the_own_task_fails_and_the_points_of_the_chain_are_lost(
    chained_root: Path,
) -> None:
    reference(chained_root)
    handed_in(chained_root, EARLIER, WRONG)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert results["score"] == 1
    check = chain_check(results)
    assert check["verdict"] == "fail"
    assert "Expected your own lab99_tiny/double." in check["sentence"]
    assert "the result to be 2" in check["sentence"]
    assert check["sentence"].endswith("The reference solution is used instead.")
    assert check["evidence"]["hint"].endswith("./lab hint lab99_tiny/double")
    assert [each["task"] for each in results["streamlab"]["fallbacks"]] == ["lab99_tiny/double"]


def test_a_mistake_in_the_later_task_is_reported_even_with_the_fallback(chained_root: Path) -> None:
    reference(chained_root)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX.replace("6", "5")))

    assert chain_check(results)["sentence"] == "Expected the result to be 24; yours is 20."


def test_a_missing_earlier_notebook_is_reported_with_its_expected_folder(chained_root: Path) -> None:
    reference(chained_root)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    [fallback] = results["streamlab"]["fallbacks"]
    assert "no notebook lab99_tiny/lab99_tiny.ipynb is next to the folder of this notebook" in fallback["sentence"]


@pytest.mark.parametrize(
    ("own", "why"),
    [
        ([WRONG], "Expected the result to be 2; yours is 3."),
        ([], "no notebook lab99_tiny/lab99_tiny.ipynb is next to the folder of this notebook."),
    ],
)
def test_a_kit_without_references_names_the_task_to_finish_first_and_judges_the_rest(
    chained_root: Path, own: list[str], why: str
) -> None:
    for source in own:
        handed_in(chained_root, EARLIER, source)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))
    check = chain_check(results)

    assert (results["score"], check["verdict"], check["evidence"]) == (1, "skipped", {})
    assert check["sentence"] == f"Not judged until your own lab99_tiny/double passes. Finish it first: {why}"
    assert results["streamlab"]["fallbacks"] == []


def test_a_task_that_waits_for_an_earlier_lab_does_not_pass_as_an_earlier_task_itself(chained_root: Path) -> None:
    add_last_lab(chained_root)
    handed_in(chained_root, LATER, SIX)
    results = judged(chained_root, handed_in(chained_root, LAST, SIX.replace("six_times", "last_times")))
    check = chain_check(results)

    assert (results["score"], check["verdict"]) == (1, "skipped")
    assert check["sentence"].startswith(
        "Not judged until your own lab98_later/six_times passes. "
        "Finish it first: Not judged until your own lab99_tiny/double passes."
    )


def test_an_earlier_notebook_that_is_a_link_is_not_followed(chained_root: Path) -> None:
    reference(chained_root)
    own = handed_in(chained_root, EARLIER, DOUBLE)
    own.rename(chained_root / "elsewhere.ipynb")
    own.symlink_to(chained_root / "elsewhere.ipynb")
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert "symbolic link" in results["streamlab"]["fallbacks"][0]["sentence"]


def test_a_fault_of_the_judge_in_the_earlier_lab_is_not_charged_to_the_learner(
    chained_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference(chained_root)
    handed_in(chained_root, EARLIER, DOUBLE)
    plan_of_stage = submission_checks.plan_for

    def fails_for_the_earlier_lab(stage: StageChecks, *rest: Any) -> Any:
        return 1 / 0 if stage.lab == EARLIER else plan_of_stage(stage, *rest)

    monkeypatch.setattr(submission_checks, "plan_for", fails_for_the_earlier_lab)
    results = judged(chained_root, handed_in(chained_root, LATER, SIX))

    assert (results["score"], results["max_score"]) == (1, 1)
    check = chain_check(results)
    assert (check["verdict"], check["points"], check["max_points"]) == ("inconclusive", 0, 0)
    assert "the judge itself failed (ZeroDivisionError" in results["streamlab"]["ungraded"][0]


def test_a_notebook_can_load_the_earlier_lab_with_stage(chained_root: Path) -> None:
    handed_in(chained_root, EARLIER, DOUBLE)
    source = f'from streamlab import stage\nmine = stage("{EARLIER}").double\n{SIX.replace("6 * x", "3 * mine(x)")}'
    results = judged(chained_root, handed_in(chained_root, LATER, source))

    assert results["score"] == 3


def test_a_chain_to_a_lab_that_the_course_does_not_build_on_is_an_error_of_the_course(chained_root: Path) -> None:
    path = chained_root / "course.yml"
    path.write_text(path.read_text().replace("    builds_on: [lab99_tiny]\n", ""))

    with pytest.raises(CourseError, match="does not build on that lab; list it under builds_on"):
        load_agreed_stage(LATER, load_course(chained_root))
