"""The checks of Lab 2 on rows made by hand: right rows pass, and each wrong one gets a sentence that says why."""

from pathlib import Path
from typing import Any

import pytest

import autograder.stages.lab02_windows.drive  # noqa: F401 (registers the drives)
from autograder.checks import Check, load_stage
from autograder.checks.teaching import invariants
from autograder.course import load_course
from autograder.course.agreement import agree
from autograder.inside import DRIVES
from autograder.stages.lab02_windows import (
    cases,
    cases_event_time,
    cases_trends,
    oracle,
    oracle_event_time,
    oracle_tweets,
)
from autograder.verify.variants import Variant, read_variants
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loading import Stage, load_cells

LAB = "lab02_windows"
ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / "autograder" / "stages" / LAB
STAGE = load_stage(LAB)
CHECKS = {check.name: check for check in STAGE.checks}
RACES = {race.name for race in STAGE.races}
WITHOUT_SPARK = ("SlidingSum", "SlidingMax", "tweet_text", "near", "hashtags", "trending")
GIVEN = """
from collections import namedtuple
Place = namedtuple("Place", "name west south east north")
"""


def sentence(name: str, case: dict[str, Any], rows: dict[str, Any]) -> str | None:
    mismatch = CHECKS[name].judge(case, rows)
    return mismatch.sentence if mismatch else None


def test_course_gives_points_to_just_these_checks() -> None:
    labs = load_course(ROOT).labs
    if LAB not in labs:
        pytest.skip(f"{LAB} is not in course.yml yet")
    agree(LAB, labs[LAB], STAGE)


def test_every_check_names_one_of_the_invariants_and_every_invariant_has_a_check() -> None:
    assert {check.invariant for check in STAGE.checks} == set(invariants(LAB))


def test_no_two_checks_have_one_name() -> None:
    assert len(CHECKS) == len(STAGE.checks)


def test_every_check_and_race_has_a_mutant_and_every_mutant_names_checks_of_its_task() -> None:
    mutants = read_variants(FOLDER / "mutants")
    names = {task: {check.name for check in STAGE.of_task(task)} for task in {check.task for check in STAGE.checks}}

    assert set.union(*(set(mutant.killed_by) for mutant in mutants)) == set(CHECKS) | RACES
    assert all(mutant.killed_by <= names[mutant.task] | RACES for mutant in mutants)


def test_every_task_has_two_alternatives() -> None:
    tasks = [alternative.task for alternative in read_variants(FOLDER / "alternatives")]

    assert all(tasks.count(check.task) >= 2 for check in STAGE.checks)


# Sentences

TWO = {"batches": [[["a", 1]], [["b", 2]]], "window_batches": 1, "slide_batches": 1}
STEPS = [["add", 5], ["add", 3], ["expire"], ["result"]]
TALK = {"batches": [["Yale is great"]], "name": "Yale", "window_batches": 1, "slide_batches": 1}
EVENTS = {
    "files": [[{"id": "1", "key": "edge", "event_time_s": 1010.0}], [{"id": "2", "key": "z", "event_time_s": 2000.0}]],
    "window_s": 10,
    "watermark_s": 30,
}
COLUMNS = ["start", "end", "key", "count"]
BOSTON = {"name": "Boston", "west": -71.25, "south": 42.25, "east": -70.75, "north": 42.5}


def slides(*counts: Any, field: str = "counts") -> dict[str, Any]:
    return {"slides": [{"at_batch": number, field: each} for number, each in enumerate(counts, 1)]}


@pytest.mark.parametrize(
    ("check", "case", "rows", "expected"),
    [
        (
            "the_window_holds_its_batches_and_no_other",
            TWO,
            slides([["a", 1]], [["a", 1], ["b", 2]]),
            'Your keys of the window that ends with batch 2 have "a" which does not belong there.',
        ),
        (
            "the_window_holds_its_batches_and_no_other",
            TWO,
            {"returned": "<NoneType>"},
            "Expected windowed_counts to return a DStream; yours returns <NoneType>.",
        ),
        (
            "sums_are_those_of_a_recount",
            TWO,
            slides([["a", 1]], [["a", 9], ["b", 3]]),
            'Expected ("b", 2); your counts of the window that ends with batch 2 have ("b", 3).',
        ),
        (
            "sums_are_those_of_a_recount",
            TWO,
            slides([["a", 1]]),
            "Expected an answer for the window that ends with batch 2; yours has answers after these batches: 1.",
        ),
        (
            "a_key_that_falls_to_zero_has_no_row",
            TWO,
            slides([["a", 1]], [["a", 0], ["b", 2]]),
            'Expected no row for "a" in the window that ends with batch 2, where its sum is zero; yours has ("a", 0).',
        ),
        (
            "there_is_one_answer_every_slide",
            {**TWO, "slide_batches": 2},
            slides([], []),
            "Expected answers with slide_batches=2 after the batches [2]; yours [1, 2]: position 0 differs.",
        ),
        (
            "lengths_that_do_not_fit_the_batches_are_refused",
            {"window_s": 0.25, "slide_s": 0.1, "batch_s": 0.1},
            {"accepted": True},
            "Expected windowed_counts(pairs, window_s=0.25, slide_s=0.1) on batches of 0.1 s to raise ValueError; "
            "yours accepts it.",
        ),
        (
            "lengths_that_do_not_fit_the_batches_are_refused",
            {"window_s": 0.3, "slide_s": 0.1, "batch_s": 0.1},
            {"refused": "0.09999999999999998 left"},
            "Expected windowed_counts(pairs, window_s=0.3, slide_s=0.1) on batches of 0.1 s to return a DStream; "
            "yours raises ValueError: 0.09999999999999998 left.",
        ),
        (
            "totals_cover_all_batches_so_far",
            {"batches": [[["a", 1]], [["a", 2]]]},
            {"totals": [[["a", 1]], [["a", 2]]]},
            'Expected ("a", 3); your totals after batch 2 have ("a", 2).',
        ),
        (
            "totals_cover_all_batches_so_far",
            {"batches": [[["a", 1]], [["a", 2]]]},
            {"totals": [[["a", 1]]]},
            "Expected totals after every batch; 1 of 2 batches were answered.",
        ),
        (
            "keys_that_stay_away_keep_their_totals",
            {"batches": [[["a", 1]], [["b", 2]]]},
            {"totals": [[["a", 1]], [["b", 2]]]},
            'Expected ("a", 1); your totals after batch 2 lack it.',
        ),
        (
            "a_batch_with_nothing_changes_no_total",
            {"batches": [[["a", 1]], []]},
            {"totals": [[["a", 1]], []]},
            'Expected ("a", 1); your totals after batch 2, which has nothing, lack it.',
        ),
        (
            "totals_cover_the_words_of_all_files",
            {"files": [["a b"], ["a"]], "kill_after_files": None},
            {"totals": {"a": 1, "b": 1}, "restarts": 0, "files_of_totals": 2},
            'Expected ("a", 2); your totals after the last file have ("a", 1).',
        ),
        (
            "every_batch_writes_its_totals_to_a_file_of_its_own",
            {"files": [["a"], ["a"]], "kill_after_files": None},
            {"totals": {"a": 2}, "restarts": 0, "files_of_totals": 1},
            "Expected at least 2 files totals-<ms>.json after 2 batches with lines; yours has 1.",
        ),
        (
            "a_run_that_was_killed_ends_with_the_totals_of_one_that_never_died",
            {"files": [["a"], ["b"]], "kill_after_files": 1},
            {"totals": {"b": 1}, "restarts": 1, "files_of_totals": 9},
            'Expected ("a", 1); your totals of a run that was killed after 1 files lack it.',
        ),
        (
            "the_sum_is_that_of_the_values_in_the_window",
            {"steps": STEPS, "kind": "int"},
            {"results": [5]},
            "Expected result of a SlidingSum after add 5, add 3, expire to be 3; yours is 5.",
        ),
        (
            "an_empty_window_sums_to_zero_and_has_nothing_to_expire",
            {"steps": [["expire"]], "kind": "int"},
            {"results": []},
            "Expected expire of a SlidingSum after nothing to raise ValueError; yours gives None.",
        ),
        (
            "a_step_costs_at_most_one_operation",
            {"steps": STEPS, "kind": "int"},
            {"results": [3], "work_of_each_step": [1, 1, 2, 0]},
            "Expected expire of a SlidingSum after add 5, add 3 to cost at most one + or -; yours costs 2.",
        ),
        (
            "a_step_costs_at_most_one_operation",
            {"steps": STEPS, "kind": "int"},
            {"results": [3], "work_of_each_step": [0, 0, 0, 1]},
            "Expected result of a SlidingSum after add 5, add 3, expire to cost no + and no -; yours costs 1.",
        ),
        (
            "a_step_costs_at_most_one_operation",
            {"steps": STEPS, "kind": "int"},
            {"results": [0], "work_of_each_step": [0, 0, 0, 0]},
            "Expected result of a SlidingSum after add 5, add 3, expire to be 3; yours is 0.",
        ),
        (
            "sums_of_floats_are_as_exact_as_rounding_allows",
            {"steps": [["add", 0.5], ["add", 0.25], ["result"]], "kind": "float"},
            {"results": [0.7501]},
            "Expected result of a SlidingSum after add 0.5, add 0.25 to be 0.75; yours is 0.7501.",
        ),
        (
            "the_maximum_is_that_of_the_values_in_the_window",
            {"steps": STEPS, "kind": "int"},
            {"results": [5]},
            "Expected result of a SlidingMax after add 5, add 3, expire to be 3; yours is 5.",
        ),
        (
            "equal_maxima_leave_one_by_one",
            {"steps": [["add", 5], ["add", 5], ["expire"], ["result"]], "kind": "int"},
            {"results": [{"refused": "empty"}]},
            'Expected result of a SlidingMax after add 5, add 5, expire to be 5; yours is "ValueError".',
        ),
        (
            "an_empty_window_has_no_maximum_and_nothing_to_expire",
            {"steps": [["result"]], "kind": "int"},
            {"results": [None]},
            "Expected result of a SlidingMax after nothing to raise ValueError; yours gives None.",
        ),
        (
            "three_comparisons_a_value_are_enough",
            {"steps": STEPS, "kind": "int"},
            {"results": [3], "comparisons": 10},
            "Expected 2 values to enter and leave a SlidingMax with at most 9 comparisons; yours makes 10.",
        ),
        (
            "a_retweet_has_no_text_of_its_own",
            {"raw": '{"text": "a", "retweeted_status": {}}'},
            {"text": "a"},
            'Expected tweet_text("{\\"text\\": \\"a\\", \\"retweeted_status\\": {}}") to be None; yours is "a".',
        ),
        (
            "a_point_is_near_in_the_rectangle_and_on_its_edge",
            {"tweet": {"text": "a", "coordinates": {"coordinates": [-71.25, 42.3]}}, "place": BOSTON},
            {"near": False},
            'Expected near({"coordinates": {"coordinates": [-71.25, 42.3]}}, '
            'Place("Boston", -71.25, 42.25, -70.75, 42.5)) to be True; yours is False.',
        ),
        (
            "a_hash_inside_a_url_is_none",
            {"text": "http://x.y/-#a"},
            {"tags": ["a"]},
            'Expected hashtags("http://x.y/-#a") to be []; yours is ["a"].',
        ),
        (
            "ties_are_in_the_order_of_code_points",
            {"counts": [["b", 1], ["a", 1]], "k": 2},
            {"top": [["b", 1], ["a", 1]]},
            'Expected trending([("b", 1), ("a", 1)], 2) to be [("a", 1), ("b", 1)]; '
            'yours [("b", 1), ("a", 1)]: position 0 differs.',
        ),
        (
            "the_highest_counts_come_first",
            {"counts": [["a", 1]], "k": 1},
            {"refused": "no"},
            'Expected trending([("a", 1)], 1) to return a list; yours raises ValueError: no.',
        ),
        (
            "a_negative_k_is_refused",
            {"counts": [], "k": -1},
            {"top": []},
            "Expected trending([], -1) to raise ValueError; yours returns [].",
        ),
        (
            "a_mention_is_a_whole_word_in_any_case",
            TALK,
            slides([[0, [], 0.0]], field="rows"),
            'Expected the texts that mention "Yale" in the window that ends with batch 1 to be 1; yours is 0.',
        ),
        (
            "a_mention_is_a_whole_word_in_any_case",
            TALK,
            slides([], field="rows"),
            "Expected a row (references, words, mood) for the window that ends with batch 1; yours is [].",
        ),
        (
            "describing_words_stand_in_texts_that_mention_the_name",
            TALK,
            slides([[1, [["yale", 1], ["great", 1]], 0.0]], field="rows"),
            'Expected describing words of the window that ends with batch 1 to be [("great", 1)]; '
            'yours [("yale", 1), ("great", 1)]: position 0 differs.',
        ),
        (
            "the_mood_is_the_mean_over_texts_that_mention_the_name",
            TALK,
            slides([[1, [], 3.1]], field="rows"),
            "Expected the mood of the window that ends with batch 1 to be 0.6249; yours is 3.1.",
        ),
        (
            "every_slide_has_one_row",
            TALK,
            slides([[1, [], 0.0], [1, [], 0.0]], field="rows"),
            "Expected the number of rows of the window that ends with batch 1 to be 1; yours is 2.",
        ),
        (
            "an_event_at_the_end_of_a_window_is_in_the_next",
            EVENTS,
            {"columns": COLUMNS, "windows": [[1000.0, 1010.0, "edge", 1]], "dropped": 0},
            'Expected ("[1010, 1020)", 1); your windows of key "edge" have ("[1000, 1010)", 1).',
        ),
        (
            "the_order_of_arrival_changes_no_count",
            EVENTS,
            {"columns": ["window", "key", "count"], "windows": [], "dropped": 0},
            'Expected "start" among columns; yours have "window".',
        ),
        (
            "late_events_are_dropped_and_counted_as_dropped",
            EVENTS,
            {"columns": COLUMNS, "windows": [[1010.0, 1020.0, "edge", 1]], "dropped": 1},
            "Expected the number of dropped events to be 0; yours is 1.",
        ),
        (
            "lengths_that_cannot_be_meant_are_refused",
            {"files": [], "window_s": 0, "watermark_s": 30},
            {"columns": COLUMNS, "windows": [], "dropped": 0},
            "Expected event_time_counts(events, window_s=0, watermark_s=30) to raise ValueError; yours does not.",
        ),
    ],
)
def test_sentence_says_what_was_expected_and_what_came(
    check: str, case: dict[str, Any], rows: dict[str, Any], expected: str
) -> None:
    assert sentence(check, case, rows) == expected


def test_of_many_steps_the_last_few_are_told() -> None:
    steps = [*([["add", 1]] * 20), ["result"]]

    told = sentence("the_sum_is_that_of_the_values_in_the_window", {"steps": steps}, {"results": [19]})

    assert told is not None
    assert told.startswith("Expected result of a SlidingSum after 12 steps, add 1, add 1,")


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


# Mutants and alternatives of the tasks that need no Spark


def stage_of(code: str) -> Stage:
    sources = [GIVEN, code]
    cells = [LabCell(kind="code", role=None, name=None, source=each, id=str(at)) for at, each in enumerate(sources)]
    return load_cells(LAB, cells, module_name="stage_under_test")


def caught_by(variant: Variant) -> set[str]:
    stage, drive = stage_of(variant.code), DRIVES[variant.task]

    def fails(check: Check, case: dict[str, Any]) -> bool:
        try:
            return check.judge(case, drive(stage=stage, case=case)) is not None
        except Exception:
            return True  # the judge gives such a case the verdict error

    checks = STAGE.of_task(variant.task)
    return {check.name for check in checks if any(fails(check, case) for case in check.cases("a seed of this test"))}


def variants(kind: str) -> list[Variant]:
    return [each for each in read_variants(FOLDER / kind) if each.task in WITHOUT_SPARK]


@pytest.mark.parametrize("mutant", variants("mutants"), ids=lambda each: each.name)
def test_mutant_is_caught_by_the_checks_that_it_declares_and_no_other(mutant: Variant) -> None:
    assert caught_by(mutant) == mutant.killed_by - RACES


@pytest.mark.parametrize("alternative", variants("alternatives"), ids=lambda each: each.name)
def test_another_right_solution_gets_all_points(alternative: Variant) -> None:
    assert caught_by(alternative) == set()


# The race


def test_race_accepts_the_sums_of_its_numbers() -> None:
    assert STAGE.races[0].judge(b"1\n2\n3\n", {"results": [1, 3, 6]}) is None


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
    mismatch = STAGE.races[0].judge(b"1\n2\n3\n", {"results": results})

    assert mismatch is not None
    assert mismatch.sentence == expected
