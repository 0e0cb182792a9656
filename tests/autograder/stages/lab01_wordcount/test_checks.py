"""The checks of Lab 1 on rows made by hand: right rows pass, and each wrong one gets a sentence that says why."""

from pathlib import Path
from typing import Any

import pytest

import autograder.stages.lab01_wordcount.drive  # noqa: F401 (registers the drives)
from autograder.checks import load_stage
from autograder.checks.agreement import agree
from autograder.course import load_course
from autograder.inside import DRIVES
from autograder.stages.lab01_wordcount import oracle, workload_text
from autograder.verify.variants import Variant, read_variants
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells

ROOT = Path(__file__).resolve().parents[4]
STAGE = load_stage("lab01_wordcount")
FOLDER = ROOT / "autograder" / "stages" / "lab01_wordcount"
CHECKS = {check.name: check for check in STAGE.checks}
WITHOUT_SPARK = ("words", "local_master", "on_word", "deliver")
GIVEN = """
from collections import namedtuple
Delivery = namedtuple("Delivery", "delivered dropped queued held_up_ms longest_queue")
"""


def sentence(name: str, case: dict[str, Any], rows: dict[str, Any]) -> str | None:
    mismatch = CHECKS[name].judge(case, rows)
    return mismatch.sentence if mismatch else None


def test_course_gives_points_to_just_these_checks() -> None:
    agree("lab01_wordcount", load_course(ROOT).labs["lab01_wordcount"], STAGE)


def test_every_check_names_one_of_the_invariants() -> None:
    assert all(check.invariant in range(1, 10) for check in STAGE.checks)


# Sentences


@pytest.mark.parametrize(
    ("check", "case", "rows", "expected"),
    [
        (
            "an_apostrophe_belongs_to_the_word_it_is_inside",
            {"line": "don't"},
            {"words": ["don", "t", "x"]},
            'Expected words("don\'t") to be ["don\'t"]; yours is ["don", "t", "x"].',
        ),
        (
            "no_word_is_empty",
            {"line": "a"},
            {"words": "<generator>"},
            'Expected words("a") to be ["a"]; yours is "<generator>".',
        ),
        (
            "every_occurrence_is_counted",
            {"lines": ["a b a"]},
            {"runs": [{"counts": [["a", 1], ["b", 1]]}]},
            'Expected ("a", 2); your counts have ("a", 1).',
        ),
        (
            "every_occurrence_is_counted",
            {"lines": ["a"]},
            {"runs": [{"returned": "<list>"}]},
            "Expected count_words to return an RDD; yours returns <list>.",
        ),
        (
            "partitions_do_not_change_the_counts",
            {"lines": ["a", "a"]},
            {"runs": [{"counts": [["a", 2]]}, {"counts": [["a", 1], ["a", 1]], "partitions": 2}]},
            "Expected the same counts in 1 partition and in 2 partitions; "
            'yours have ("a", 2) in 1 partition, but ("a", 1) and ("a", 1) in 2 partitions.',
        ),
        (
            "calling_it_starts_no_job",
            {},
            {"runs": [{"jobs_when_called": 1}]},
            "Expected the number of Spark jobs that calling count_words starts to be 0; yours is 1.",
        ),
        (
            "what_a_word_is_stays_with_words",
            {"lines": ["new york|oslo"], "separator": "|"},
            {"runs": [{"counts": [["new", 1], ["york|oslo", 1]]}]},
            'count_words has to call words, which in this check splits at "|". '
            'Expected ("oslo", 1); your counts have ("new", 1) and ("york|oslo", 1).',
        ),
        (
            "a_batch_without_lines_has_no_counts",
            {"batches": [["a"], [], ["a"]]},
            {"batches": [[["a", 1]], [["a", 1]], []]},
            'Expected the counts of a batch without lines to be []; yours is [("a", 1)].',
        ),
        (
            "nothing_is_carried_into_the_next_batch",
            {"batches": [["a"], [], ["a"]]},
            {"batches": [[["a", 1]], [], [["a", 2]]]},
            "Expected the same counts in batch 1 and in batch 3; "
            'yours have ("a", 1) in batch 1, but ("a", 2) in batch 3.',
        ),
        (
            "a_batch_has_the_counts_of_its_lines",
            {"batches": [["a"], [], ["a"]]},
            {"batches": []},
            "Expected counts of every batch; 0 of 3 batches were counted in time.",
        ),
        (
            "batches_from_a_socket_add_up_to_the_whole",
            {"parts": [["a"], ["a b"]]},
            {"counts": [["a", 1], ["a", 1]]},
            'Expected ("b", 1); your counts, added up over all batches, lack it.',
        ),
        (
            "every_receiver_and_every_worker_has_a_thread",
            {"receivers": 1, "workers": 2},
            {"master": "local[2]"},
            'Expected local_master(receivers=1, workers=2) to be "local[3]"; yours is "local[2]".',
        ),
        (
            "impossible_numbers_of_threads_are_refused",
            {"receivers": -1, "workers": 1},
            {"master": "local[0]"},
            'Expected local_master(receivers=-1, workers=1) to raise ValueError; yours returns "local[0]".',
        ),
        (
            "two_states_know_nothing_of_each_other",
            {"events": [[0, "a"], [1, "a"]]},
            {"answers": [["a", 1], ["a", 2]]},
            'Expected the answer to event 2, "a" for state 1, to be ("a", 1); yours is ("a", 2).',
        ),
        (
            "the_state_that_was_given_holds_the_counts",
            {"events": [[0, "a"]]},
            {"states": [{}]},
            'Expected ("a", 1); your entries in the state lack it.',
        ),
        (
            "each_word_has_one_row",
            {},
            {"columns": ["word", "count"], "tables": [[["a", 1], ["a", 1]]]},
            'Expected the number of rows of "a" in the table to be 1; yours is 2.',
        ),
        (
            "words_in_the_table_are_what_words_finds",
            {"files": [["a"], ["A, b."]]},
            {"columns": ["word", "count"], "tables": [[], [["a", 1], ["A,", 1]]]},
            'Expected for "A, b." the words ["a", "b"]; your table has "A,".',
        ),
        (
            "the_answer_covers_all_files_so_far",
            {"files": [["a"], ["a"]]},
            {"columns": ["word", "n"], "tables": []},
            'Expected "count" among columns; yours have "n".',
        ),
        (
            "a_full_buffer_drops_the_message_that_comes",
            {"arrivals_ms": [0, 1, 2], "service_ms": 10, "buffer_size": 1, "policy": "drop"},
            {"dropped": [1]},
            'Expected deliver([0, 1, 2], 10, 1, "drop").dropped to be [2]; yours is [1].',
        ),
        (
            "every_message_is_delivered_dropped_or_queued",
            {"arrivals_ms": [0, 1, 2], "service_ms": 10, "buffer_size": 1, "policy": "drop"},
            {"delivered": [], "dropped": [2], "queued": [1]},
            'Expected message 0 of deliver([0, 1, 2], 10, 1, "drop") in one of delivered, dropped and queued; '
            "yours has it in none.",
        ),
        (
            "arguments_that_cannot_be_meant_are_refused",
            {"arrivals_ms": [0], "service_ms": 0, "buffer_size": 1, "policy": "drop"},
            {"returned": "<NoneType>"},
            'Expected deliver([0], 0, 1, "drop") to raise ValueError; yours returns {"returned": "<NoneType>"}.',
        ),
    ],
)
def test_sentence_says_what_was_expected_and_what_came(
    check: str, case: dict[str, Any], rows: dict[str, Any], expected: str
) -> None:
    assert sentence(check, case, rows) == expected


def test_first_wrong_word_of_a_long_line_is_shown_with_its_place() -> None:
    line = "a b c d e f g h i j k l m n o"
    words = ["x" if word == "m" else word for word in line.split()]

    told = sentence("words_are_runs_of_letters_and_digits", {"line": line}, {"words": words})

    assert told == f'Expected word 13 of "{line}" to be "m"; yours is "x".'


def test_words_lost_at_the_end_of_a_long_line_are_missed() -> None:
    line = "a b c d e f g h i j k l m n o"

    told = sentence("words_are_runs_of_letters_and_digits", {"line": line}, {"words": line.split()[:-1]})

    assert told == f'Expected the number of words in "{line}" to be 15; yours is 14.'


def test_states_may_begin_anywhere_as_long_as_they_are_independent() -> None:
    case = {"events": [[0, "a"], [1, "a"], [0, "a"]]}

    assert sentence("two_states_know_nothing_of_each_other", case, {"answers": [["a", 0], ["a", 0], ["a", 1]]}) is None


def test_columns_may_come_in_any_order() -> None:
    rows = {"columns": ["count", "word"], "tables": [[[1, "a"]], [[2, "a"]]]}

    assert sentence("the_answer_covers_all_files_so_far", {"files": [["a"], ["a"]]}, rows) is None


ODD = [None, 7, "text", [], [None], [["a"]], [["a", "b"]], [["a", True]], {}, {"a": 1}, [[["a"], 1]]]


@pytest.mark.parametrize("odd", ODD)
def test_words_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    for check in STAGE.of_task("words"):
        assert check.judge({"line": "a b"}, {"words": odd}) is not None


@pytest.mark.parametrize("odd", ODD)
def test_counts_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    run = {"counts": odd, "partitions": 3, "jobs_when_called": 0}
    batches = {"batches": [["a b"], ["a b"], ["b"]]}

    assert sentence("every_occurrence_is_counted", {"lines": ["a b"]}, {"runs": [run]})
    assert sentence("partitions_do_not_change_the_counts", {}, {"runs": [run, {**run, "counts": [["b", 1]]}]})
    assert sentence("nothing_is_carried_into_the_next_batch", batches, {"batches": [odd, [], [["b", 1]]]})
    assert sentence("batches_from_a_socket_add_up_to_the_whole", {"parts": [["a b"]]}, {"counts": odd})
    assert workload_text.same_counts_at_once(b"a b", odd) is not None


@pytest.mark.parametrize("odd", ODD)
def test_a_delivery_of_a_wrong_form_is_a_mismatch_and_no_error(odd: Any) -> None:
    case = {"arrivals_ms": [0, 1, 2], "service_ms": 10, "buffer_size": 1, "policy": "drop"}
    rows = {name: odd for name in ("delivered", "dropped", "queued", "held_up_ms", "longest_queue")}

    assert sentence("every_message_is_delivered_dropped_or_queued", case, rows)
    assert sentence("a_full_buffer_drops_the_message_that_comes", case, rows)
    assert sentence("time_held_up_is_counted_once", case, rows)
    CHECKS["messages_leave_in_the_order_in_which_they_came"].judge(case, rows)


# Mutants and alternatives of the tasks that need no Spark


def stage_of(code: str) -> Stage:
    sources = [GIVEN, code]
    cells = [LabCell(kind="code", role=None, name=None, source=each, id=str(at)) for at, each in enumerate(sources)]
    return load_cells("lab01_wordcount", cells, module_name="stage_under_test")


def caught_by(variant: Variant) -> set[str]:
    stage, drive = stage_of(variant.code), DRIVES[variant.task]
    return {
        check.name
        for check in STAGE.of_task(variant.task)
        if any(check.judge(case, drive(stage=stage, case=case)) for case in check.cases("a seed of this test"))
    }


def variants(kind: str) -> list[Variant]:
    return [each for each in read_variants(FOLDER / kind) if each.task in WITHOUT_SPARK]


@pytest.mark.parametrize("mutant", variants("mutants"), ids=lambda each: each.name)
def test_mutant_is_caught_by_the_checks_that_it_declares_and_no_other(mutant: Variant) -> None:
    assert caught_by(mutant) == mutant.killed_by


@pytest.mark.parametrize("alternative", variants("alternatives"), ids=lambda each: each.name)
def test_another_right_solution_gets_all_points(alternative: Variant) -> None:
    assert caught_by(alternative) == set()


# The throughput check


def test_race_accepts_the_counts_of_its_text() -> None:
    content = b"a b a\n"

    assert STAGE.throughput_checks[0].judge(content, {"counts": [["b", 1], ["a", 2]], "jobs_when_called": 0}) is None


def test_race_is_lost_where_the_driver_did_the_counting() -> None:
    mismatch = STAGE.throughput_checks[0].judge(b"a\n", {"counts": [["a", 1]], "jobs_when_called": 1})

    assert mismatch is not None
    assert "jobs" in mismatch.sentence


def test_oracle_and_checks_agree_on_the_empty_source() -> None:
    case = {"arrivals_ms": [], "service_ms": 10, "buffer_size": 1, "policy": "drop"}

    assert sentence("every_message_is_delivered_dropped_or_queued", case, oracle.delivery(**case) or {}) is None
