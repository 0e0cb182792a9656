"""The checks of Lab 1 on rows that no mutant and no alternative produces."""

from typing import Any

import pytest

from autograder.checks import load_stage

STAGE = load_stage("lab01_wordcount")
CHECKS = {check.name: check for check in STAGE.checks}
LONG = "a b c d e f g h i j k l m n o"


def sentence(name: str, case: dict[str, Any], rows: dict[str, Any]) -> str | None:
    mismatch = CHECKS[name].judge(case, rows)
    return mismatch.sentence if mismatch else None


def test_the_first_wrong_word_of_a_long_line_is_shown_with_its_position() -> None:
    found = ["x" if word == "m" else word for word in LONG.split()]

    message = sentence("words_are_runs_of_letters_and_digits", {"line": LONG}, {"words": found})

    assert message == f'Expected word 13 of "{LONG}" to be "m"; yours is "x".'


def test_words_missing_at_the_end_of_a_long_line_are_reported() -> None:
    message = sentence("words_are_runs_of_letters_and_digits", {"line": LONG}, {"words": LONG.split()[:-1]})

    assert message == f'Expected the number of words in "{LONG}" to be 15; yours is 14.'


@pytest.mark.parametrize("counts", [[], ["late", "on time"], [["late", 0], ["on", 0], ["time", 0]]])
def test_an_answer_that_counts_nothing_passes_no_check_of_count_words(counts: Any) -> None:
    def rows(case: dict[str, Any]) -> dict[str, Any]:
        run = {"counts": counts, "jobs_when_called": 0}
        return {"runs": [{**run, "partitions": each} for each in case["partitions"]]}

    for check in STAGE.of_task("count_words"):
        assert any(check.judge(case, rows(case)) for case in check.cases("public")), check.name


@pytest.mark.parametrize("batch", [[], ["on", "time"], None])
def test_an_answer_that_counts_nothing_passes_no_check_of_word_counts(batch: Any) -> None:
    for check in STAGE.of_task("word_counts"):
        rows = {"batches": [batch, [], batch], "counts": batch}
        assert all(check.judge(case, rows) for case in check.cases("public")), check.name


def test_counts_of_the_stub_are_as_right_as_the_learners_counts() -> None:
    case = {"batches": [["a b a"], [], ["a b a"]]}

    for counts in ([["a", 2], ["b", 1]], [["a", 20], ["b", 10]]):
        assert sentence("a_batch_has_the_counts_of_its_lines", case, {"batches": [counts, [], counts]}) is None


def test_states_may_start_with_any_count_if_they_are_independent() -> None:
    case = {"states": [{}, {}], "events": [[0, "a"], [1, "a"], [0, "a"]]}

    assert sentence("two_states_are_independent", case, {"answers": [["a", 0], ["a", 0], ["a", 1]]}) is None


def test_columns_may_come_in_any_order() -> None:
    rows = {"columns": ["count", "word"], "tables": [[[1, "a"]], [[2, "a"]]]}

    assert sentence("the_answer_covers_all_files_so_far", {"files": [["a"], ["a"]]}, rows) is None


def test_a_function_that_always_rejects_fails_the_invalid_argument_checks() -> None:
    rejected = {"rejected": "ValueError", "text": "no"}

    for name in ("invalid_numbers_of_threads_raise_value_error", "invalid_arguments_raise_value_error"):
        check = CHECKS[name]
        judged = [check.judge(case, rejected) for case in check.cases("public")]
        assert judged[0] is None
        assert judged[-1] is not None


def test_the_throughput_check_fails_if_the_driver_does_the_counting() -> None:
    judge = STAGE.throughput_checks[0].judge

    assert judge(b"a b a\n", {"counts": [["b", 1], ["a", 2]], "jobs_when_called": 0}) is None
    mismatch = judge(b"a\n", {"counts": [["a", 1]], "jobs_when_called": 1})
    assert mismatch is not None
    assert "jobs" in mismatch.sentence
