"""The checks of Lab 2 on rows made by hand: right rows pass, and each wrong one gets a sentence that says why."""

from pathlib import Path
from typing import Any

import pytest

from autograder.checks.agreement import agree
from autograder.checks.teaching import invariants
from autograder.course import load_course
from autograder.stages.lab02_windows import (
    cases,
    cases_event_time,
    cases_trends,
    oracle,
    oracle_event_time,
    oracle_tweets,
)
from tests.autograder.stages.lab02_windows.rows_by_hand import (
    BOSTON,
    CHECKS,
    COLUMNS,
    EVENTS,
    LAB,
    STAGE,
    STEPS,
    TALK,
    TWO,
    sentence,
    slides,
)

ROOT = Path(oracle.__file__).resolve().parents[3]


def test_course_gives_points_to_just_these_checks() -> None:
    labs = load_course(ROOT).labs
    if LAB not in labs:
        pytest.skip(f"{LAB} is not in course.yml yet")
    agree(LAB, labs[LAB], STAGE)


def test_every_check_names_one_of_the_invariants_and_every_invariant_has_a_check() -> None:
    assert {check.invariant for check in STAGE.checks} == set(invariants(LAB))


def test_no_two_checks_have_one_name() -> None:
    assert len(CHECKS) == len(STAGE.checks)


# Right rows, made by the oracle


def right_slides(case: dict[str, Any]) -> dict[str, Any]:
    expected = oracle.windowed_counts(case["batches"], case["window_batches"], case["slide_batches"])
    return {"slides": [{"at_batch": at, "counts": [[*pair] for pair in each.items()]} for at, each in expected.items()]}


def right_totals(case: dict[str, Any]) -> dict[str, Any]:
    return {"totals": [[[*pair] for pair in each.items()] for each in oracle.running_totals(case["batches"])]}


def right_rows(case: dict[str, Any]) -> dict[str, Any]:
    expected = oracle_tweets.mentions(case["batches"], case["name"], case["window_batches"], case["slide_batches"])
    as_json = {at: [row[0], [list(pair) for pair in row[1]], row[2]] for at, row in expected.items()}
    return {"slides": [{"at_batch": at, "rows": [row]} for at, row in as_json.items()]}


def right_windows(case: dict[str, Any]) -> dict[str, Any]:
    answer = oracle_event_time.event_time_counts(**case)
    assert answer is not None
    windows = [[float(start), float(end), key, count] for (start, end, key), count in answer.windows.items()]
    return {"columns": COLUMNS, "windows": windows, "dropped": answer.dropped}


@pytest.mark.parametrize(
    ("make", "right"),
    [
        (cases.streams, right_slides),
        (cases.totals, right_totals),
        (cases_trends.conversations, right_rows),
        (cases_event_time.arrivals, right_windows),
    ],
)
def test_right_rows_of_a_stream_pass_every_check(make: Any, right: Any) -> None:
    for check in STAGE.checks:
        for case in make("a seed of this test") if check.cases is make else []:
            assert check.judge(case, right(case)) is None


def test_answers_after_the_last_batch_are_none_of_the_case() -> None:
    rows = slides([["a", 1]], [["b", 2]], [])

    assert all(sentence(name, TWO, rows) is None for name in CHECKS if CHECKS[name].cases is cases.streams)


def test_windows_that_are_not_final_may_be_there_or_not() -> None:
    [case, *_] = cases_event_time.arrivals("public")
    rows = right_windows(case)
    final = {**rows, "windows": [row for row in rows["windows"] if row[1] < 300_000]}

    assert len(final["windows"]) < len(rows["windows"])
    for check in STAGE.of_task("event_time_counts"):
        assert check.cases is not cases_event_time.arrivals or check.judge(case, final) is None


# Wrong forms

ODD = [None, 7, "text", [None], [["a"]], [["a", "b"]], [["a", True]], {}, {"a": 1}, [[["a"], 1]]]


@pytest.mark.parametrize("odd", ODD)
def test_counts_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    assert sentence("sums_are_those_of_a_recount", TWO, slides(odd, odd))
    assert sentence("the_window_holds_its_batches_and_no_other", TWO, slides(odd, odd))
    assert sentence("totals_cover_all_batches_so_far", {"batches": [[["a", 1]]]}, {"totals": [odd]})
    assert sentence("a_batch_with_nothing_changes_no_total", {"batches": [[["b", 1]], []]}, {"totals": [[], odd]})
    CHECKS["a_key_that_falls_to_zero_has_no_row"].judge(TWO, slides(odd, odd))


@pytest.mark.parametrize("odd", ODD)
def test_rows_of_mentions_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    for rows in (slides(odd, field="rows"), slides([odd], field="rows"), slides([[odd, odd, odd]], field="rows")):
        assert sentence("a_mention_is_a_whole_word_in_any_case", TALK, rows)
        assert sentence("describing_words_stand_in_texts_that_mention_the_name", TALK, rows)
        assert sentence("the_mood_is_the_mean_over_texts_that_mention_the_name", TALK, rows)


@pytest.mark.parametrize("odd", ODD)
def test_values_of_a_wrong_form_are_a_mismatch_and_no_error(odd: Any) -> None:
    assert sentence("the_text_is_the_whole_of_what_was_written", {"raw": '{"text": "a"}'}, {"text": odd})
    assert sentence("a_point_decides_alone", {"tweet": {}, "place": BOSTON}, {"near": odd})
    assert sentence("a_tag_has_a_letter", {"text": "#b"}, {"tags": odd})
    assert sentence("the_highest_counts_come_first", {"counts": [["b", 1]], "k": 1}, {"top": odd})
    assert sentence("the_sum_is_that_of_the_values_in_the_window", {"steps": STEPS}, {"results": [odd]})
    assert sentence("totals_cover_the_words_of_all_files", {"files": [["b"]]}, {"totals": odd})


@pytest.mark.parametrize("row", [None, 7, [], ["start"], [None, None, "edge", 1], [1010.0, 1020.0, "edge", "1"]])
def test_windows_of_a_wrong_form_are_a_mismatch_and_no_error(row: Any) -> None:
    rows = {"columns": COLUMNS, "windows": [row], "dropped": 0}

    assert sentence("an_event_at_the_end_of_a_window_is_in_the_next", EVENTS, rows)


# The throughput check


def test_race_accepts_the_sums_of_its_numbers() -> None:
    assert STAGE.throughput_checks[0].judge(b"1\n2\n3\n", {"results": [1, 3, 6]}) is None


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([1, 2, 6], "Expected the result of slide 2 to be 3; yours is 2."),
        ([1, 3], "Expected the number of results to be 3; yours is 2."),
        (None, "Expected the number of results to be 3; yours is None."),
        ([1, None, 6], "Expected the result of slide 2 to be 3; yours is None."),
    ],
)
def test_race_is_lost_by_one_wrong_sum(results: Any, expected: str) -> None:
    mismatch = STAGE.throughput_checks[0].judge(b"1\n2\n3\n", {"results": results})

    assert mismatch is not None
    assert mismatch.sentence == expected
