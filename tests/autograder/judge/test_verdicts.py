"""A verdict says whose fault it is, and where: the learner's cell, another cell, or what the judge does not know."""

import pytest

from autograder.checks import Case, Check, Mismatch, Rows, same_value
from autograder.checks.recorded import UnknownQuestion
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.verdicts import judge_check


def test_a_question_without_a_recorded_answer_leaves_the_check_ungraded() -> None:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        raise UnknownQuestion("this kit has the right answers for the public cases only, and twice has none")

    check = Check("double", "twice_the_number", judge, lambda seed: [{"number": 2}])
    driven = Driven({0: Outcome("rows", rows={"got": 4})})

    verdict = judge_check(check, [NumberedCase(0, {"number": 2})], driven, 2.0)

    assert (verdict.verdict, verdict.points, verdict.max_points) == ("inconclusive", 0.0, 0.0)
    assert "double could not be judged: this kit has the right answers for the public cases only" in verdict.sentence


@pytest.mark.parametrize(
    ("line", "cell", "start"),
    [
        (3, "double", "double stopped at line 3 of its cell with KeyError: 'm27'"),
        (3, "", "double stopped at line 3 of its cell with KeyError: 'm27'"),  # a running notebook names no cells
        (29, "triple", "double stopped at line 29 of another cell (triple) with KeyError: 'm27'"),
        (0, "", "The check could not use double: KeyError: 'm27'"),
    ],
)
def test_an_error_names_the_cell_in_which_it_was_raised(line: int, cell: str, start: str) -> None:
    check = Check("double", "twice_the_number", lambda case, rows: None, lambda seed: [{}])
    outcome = Outcome("failed", error="KeyError", message="'m27'", line=line, cell=cell)

    verdict = judge_check(check, [NumberedCase(0, {})], Driven({0: outcome}), 2.0)

    assert (verdict.verdict, verdict.sentence) == ("error", start)


@pytest.mark.parametrize(
    ("lengths", "shown"),
    [
        ((900, 0, 2), "numbers = [1, 1]"),  # the first wrong answer that a learner can type in; 0 is right
        ((3, 2), "numbers = [1, 1, 1]"),
        ((900, 800), ""),
    ],
)
def test_a_wrong_answer_is_shown_with_the_first_case_that_is_short(lengths: tuple[int, ...], shown: str) -> None:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        return same_value(len(case["numbers"]), rows["got"], what="the count")

    check = Check("count", "every_number_counts", judge, lambda seed: [])
    cases = [NumberedCase(at, {"numbers": [1] * length}) for at, length in enumerate(lengths)]
    driven = Driven({case.id: Outcome("rows", rows={"got": 0}) for case in cases})

    verdict = judge_check(check, cases, driven, 2.0)

    assert (verdict.verdict, verdict.evidence["smallest_case"]) == ("fail", shown)


def test_an_error_is_not_passed_over_for_a_shorter_case() -> None:
    check = Check("count", "every_number_counts", lambda case, rows: Mismatch("Expected 0."), lambda seed: [])
    cases = [NumberedCase(0, {"numbers": [1] * 900}), NumberedCase(1, {"numbers": []})]
    driven = Driven({0: Outcome("died", message="it ended"), 1: Outcome("rows", rows={"got": 0})})

    assert judge_check(check, cases, driven, 2.0).verdict == "error"
