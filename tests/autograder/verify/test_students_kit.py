"""Mutants are judged again with recorded answers; a question that a check asks too late is a hole."""

import threading
from dataclasses import replace

import pytest

from autograder.checks.recorded import UnknownQuestion
from autograder.stages.lab01_wordcount.streams import checks, oracle
from autograder.verify.matrix import Mark
from autograder.verify.students_kit import StudentsKit, other_marks

MARK = Mark("local_master", "a_thread_each", "fail", 0.0, 1.0, "Expected local[2].")


@pytest.fixture(scope="module")
def kit() -> StudentsKit:
    return StudentsKit("lab01_wordcount")


def test_a_check_gets_the_same_answer_from_the_record(kit: StudentsKit) -> None:
    [check] = [each for each in vars(checks).values() if getattr(each, "name", "").startswith("every_receiver")]
    case = check.cases("public")[0]

    with kit.judging():
        from_the_record = check.judge(case, {"master": "local"})

    assert from_the_record is not None
    assert from_the_record == check.judge(case, {"master": "local"})


def test_a_question_that_no_public_case_asks_has_no_answer_in_this_thread(kit: StudentsKit) -> None:
    answers: list[str | None] = []
    other_thread = threading.Thread(target=lambda: answers.append(oracle.local_master(receivers=77, workers=9)))

    with kit.judging():
        other_thread.start()
        other_thread.join()
        with pytest.raises(UnknownQuestion, match="local_master was not asked this before the rows were looked at"):
            oracle.local_master(receivers=77, workers=9)

    assert [*answers, oracle.local_master(receivers=77, workers=9)] == ["local[86]", "local[86]"]


def test_another_verdict_or_sentence_is_a_hole_that_gives_the_next_step() -> None:
    other = replace(MARK, sentence="local_master could not be judged")

    [hole] = other_marks("local_master: mutant m", [MARK, MARK], [MARK, other])

    assert "a_thread_each" in hole
    assert "could not be judged" in hole
    assert hole.endswith("ask the oracle before you look at the rows (docs/authors.md)")
