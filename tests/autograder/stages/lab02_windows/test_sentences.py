"""What the checks of Lab 2 say of wrong rows: what was expected and what came, in the learner's words."""

from typing import Any

import pytest

from tests.autograder.stages.lab02_windows.rows_by_hand import (
    BOSTON,
    COLUMNS,
    EVENTS,
    STEPS,
    TALK,
    TWO,
    sentence,
    slides,
)


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
            {"rejected": "0.09999999999999998 left"},
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
            'Expected ("a", 1); your totals of a run that was killed after file 1 lack it.',
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
            {"results": [{"rejected": "empty"}]},
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
            {"rejected": "no"},
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
