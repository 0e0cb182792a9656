"""A check that cannot judge does not blame the learner's rows."""

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
