"""A verdict says whose fault it is, and where: the learner's cell, another cell, or what the judge does not know."""

import pytest

from autograder.checks import Case, Check, Mismatch, Rows
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
