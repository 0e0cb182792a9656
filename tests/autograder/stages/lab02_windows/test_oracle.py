"""The oracle of windows, state and trends against examples worked out by hand."""

import math
import random
from collections import Counter
from typing import Any

import pytest

from autograder.stages.lab02_windows import cases_sliding, oracle, workload_slides

A, B, C = ["a", 1], ["b", 2], ["c", 3]


@pytest.mark.parametrize(
    ("batches", "window", "slide", "expected"),
    [
        ([], 2, 1, {}),
        ([[], []], 1, 1, {1: {}, 2: {}}),
        ([[A], [B], [C]], 2, 1, {1: {"a": 1}, 2: {"a": 1, "b": 2}, 3: {"b": 2, "c": 3}}),  # a left: (t - 2, t]
        ([[A], [B], [C]], 2, 2, {2: {"a": 1, "b": 2}}),
        ([[A], [B], [C]], 1, 1, {1: {"a": 1}, 2: {"b": 2}, 3: {"c": 3}}),
        ([[A], [B], [C], [A]], 3, 2, {2: {"a": 1, "b": 2}, 4: {"b": 2, "c": 3, "a": 1}}),
        ([[A, A], [["a", 5]]], 2, 1, {1: {"a": 2}, 2: {"a": 7}}),
        ([[["a", 0]], [["b", 1], ["b", -1]]], 2, 1, {1: {}, 2: {}}),  # a sum of zero has no row
    ],
)
def test_a_window_is_counted_again_from_its_batches(
    batches: list[Any], window: int, slide: int, expected: dict[int, dict[str, int]]
) -> None:
    assert oracle.windowed_counts(batches, window, slide) == expected


def test_windows_agree_with_totals_less_what_left() -> None:
    chance = random.Random("windows")
    for _ in range(200):
        batches = [
            [[chance.choice("abc"), chance.randint(1, 3)] for _ in range(chance.randint(0, 3))] for _ in range(9)
        ]
        window = chance.randint(1, 9)

        for at, counts in oracle.windowed_counts(batches, window, 1).items():
            totals = Counter(dict(oracle.running_totals(batches)[at - 1]))
            totals.subtract(dict(oracle.running_totals(batches)[at - 1 - window]) if at > window else {})
            assert counts == +totals


@pytest.mark.parametrize(
    ("window_s", "slide_s", "fits"),
    [
        (0.2, 0.1, True),
        (0.3, 0.1, True),  # 0.3 / 0.1 is 2.9999999999999996 in floats
        (0.1, 0.2, True),
        (0.25, 0.1, False),
        (0.2, 0.05, False),
        (0.0, 0.1, False),
        (0.2, 0.0, False),
        (-0.2, 0.1, False),
        (0.2, -0.1, False),
    ],
)
def test_lengths_fit_where_they_are_positive_multiples(window_s: float, slide_s: float, fits: bool) -> None:
    assert oracle.fits_the_batches(window_s, slide_s, 0.1) == fits


def test_totals_cover_all_batches_and_keep_silent_keys() -> None:
    assert oracle.running_totals([[A], [], [B, A]]) == [{"a": 1}, {"a": 1}, {"a": 2, "b": 2}]


def test_words_of_files_lie_between_white_space() -> None:
    assert oracle.words_of_files([["to be,  or"], [], ["", "to Be"]]) == {"to": 2, "be,": 1, "or": 1, "Be": 1}


# Sliding


ADD_5, ADD_3, EXPIRE, RESULT = ["add", 5], ["add", 3], ["expire"], ["result"]


@pytest.mark.parametrize(
    ("steps", "sums", "maxima"),
    [
        ([], [], []),
        ([RESULT], [0], [oracle.REFUSED]),
        ([EXPIRE], [oracle.REFUSED], [oracle.REFUSED]),
        ([ADD_5, RESULT], [5], [5]),
        ([ADD_5, ADD_3, RESULT, EXPIRE, RESULT], [8, 3], [5, 3]),  # the oldest leaves
        ([ADD_5, EXPIRE, RESULT], [0], [oracle.REFUSED]),
        ([EXPIRE, ADD_5, RESULT], [oracle.REFUSED, 5], [oracle.REFUSED, 5]),  # what was rejected changes nothing
        ([ADD_5, ADD_5, EXPIRE, RESULT], [5], [5]),
        ([["add", -5], RESULT], [-5], [-5]),
    ],
)
def test_results_are_worked_out_from_the_values_in_the_window(
    steps: list[Any], sums: list[Any], maxima: list[Any]
) -> None:
    assert oracle.sliding_sums(steps) == sums
    assert oracle.sliding_maxima(steps) == maxima


def test_float_sums_are_exact() -> None:
    values = [0.1] * 10

    assert oracle.sliding_sums([*cases_sliding.adding(values), RESULT]) == [math.fsum(values)]


def test_a_float_sum_kept_by_adding_and_subtracting_is_within_the_rounding_allowed() -> None:
    for case in cases_sliding.floats("a seed of this test"):
        steps, total, window, sums = case["steps"], 0.0, [], []
        for verb, *value in steps:
            if verb == "add":
                window += value
                total += value[0]
            elif verb == "expire":
                total -= window.pop(0)
            else:
                sums.append(total)

        assert sums == pytest.approx(oracle.sliding_sums(steps), rel=0, abs=oracle.rounding_allowed(steps))


def test_the_rounding_allowed_is_far_below_what_the_values_are() -> None:
    assert oracle.rounding_allowed(cases_sliding.floats("public")[-1]["steps"]) < 1e-6


def test_the_results_of_the_race_are_sums_of_the_last_values() -> None:
    values = list(range(1500))
    content = "".join(f"{value}\n" for value in values).encode()

    sums = workload_slides.sums(content)

    assert sums[:3] == [0, 1, 3]
    assert sums[999:1001] == [sum(range(1000)), sum(range(1, 1001))]
    assert sums[-1] == sum(range(500, 1500))


# Trends


@pytest.mark.parametrize(
    ("counts", "k", "expected"),
    [
        ([], 3, []),
        ([("a", 1)], 0, []),
        ([("a", 1)], -1, None),
        ([("a", 1), ("b", 2)], 1, [("b", 2)]),
        ([("a", 1), ("b", 2)], 9, [("b", 2), ("a", 1)]),
        ([("b", 1), ("a", 1)], 2, [("a", 1), ("b", 1)]),
        ([("é", 1), ("z", 1), ("Z", 1)], 3, [("Z", 1), ("z", 1), ("é", 1)]),
        ([("ab", 1), ("a", 1)], 2, [("a", 1), ("ab", 1)]),
        ([("😀", 1), ("ａ", 1)], 1, [("ａ", 1)]),  # U+FF41 before U+1F600, though not in UTF-16
        ([("a", 1), ("b", 2), ("a", 2)], 2, [("a", 3), ("b", 2)]),
        ([("a", 5), ("a", -5), ("b", 0), ("c", -1)], 9, []),
    ],
)
def test_trends_are_ranked_by_sums_and_then_by_code_points(
    counts: list[Any], k: int, expected: list[tuple[str, int]] | None
) -> None:
    assert oracle.trending(counts, k) == expected
