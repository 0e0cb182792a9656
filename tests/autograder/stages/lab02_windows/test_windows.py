"""Windows and state: the oracle against worked examples, rows of the drive, and answers that checks ignore."""

import random
from collections import Counter
from typing import Any

import pytest

from autograder.stages.lab02_windows.windows import cases, oracle
from autograder.stages.lab02_windows.windows.checks import (
    CLAIMS,
    a_slide_reads_what_enters_and_leaves,
    each_slide_gives_one_answer,
)
from tests.autograder.stages.lab02_windows.driven import rows_of

A, B, C = ["a", 1], ["b", 2], ["c", 3]


@pytest.mark.parametrize(
    ("batches", "window", "slide", "expected"),
    [
        ([], 2, 1, {}),
        ([[], []], 1, 1, {1: {}, 2: {}}),
        ([[A], [B], [C]], 2, 1, {1: {"a": 1}, 2: {"a": 1, "b": 2}, 3: {"b": 2, "c": 3}}),  # a has left: (t - 2, t]
        ([[A], [B], [C]], 2, 2, {2: {"a": 1, "b": 2}}),
        ([[A], [B], [C]], 1, 1, {1: {"a": 1}, 2: {"b": 2}, 3: {"c": 3}}),
        ([[A], [B], [C], [A]], 3, 2, {2: {"a": 1, "b": 2}, 4: {"b": 2, "c": 3, "a": 1}}),
        ([[A, A], [["a", 5]]], 2, 1, {1: {"a": 2}, 2: {"a": 7}}),
        ([[["a", 0]], [["b", 1], ["b", -1]]], 2, 1, {1: {}, 2: {}}),  # a sum of zero has no row
        ([[A], [["a", -1]], []], 2, 1, {1: {"a": 1}, 2: {}, 3: {"a": -1}}),  # it has one again when a term has left
    ],
)
def test_a_window_counts_the_pairs_of_its_batches(
    batches: list[Any], window: int, slide: int, expected: dict[int, dict[str, int]]
) -> None:
    assert oracle.windowed_counts(batches, window, slide) == expected


def test_windows_agree_with_totals_minus_the_expired_batches() -> None:
    rng = random.Random("windows")
    for _ in range(200):
        batches = [[[rng.choice("abc"), rng.randint(1, 3)] for _ in range(rng.randint(0, 3))] for _ in range(9)]
        window = rng.randint(1, 9)

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
def test_lengths_fit_if_they_are_positive_multiples_of_the_batch_length(
    window_s: float, slide_s: float, fits: bool
) -> None:
    assert oracle.fits_the_batches(window_s, slide_s, 0.1) == fits


def test_totals_cover_all_batches_and_keep_zeros_and_keys_without_new_values() -> None:
    assert oracle.running_totals([[A], [], [B, ["a", -1]]]) == [{"a": 1}, {"a": 1}, {"a": 0, "b": 2}]


def test_answers_after_the_last_batch_are_ignored() -> None:
    case = {"batches": [[["a", 1]], [["b", 2]]], "window_batches": 1, "slide_batches": 1}
    rows = {"slides": [{"at_batch": at, "rows": each} for at, each in enumerate([[["a", 1]], [["b", 2]], []], 1)]}

    assert all(check.judge(case, rows) is None for check in [*CLAIMS, each_slide_gives_one_answer])


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("raise ValueError(f'no {window_s}')", {"rejected": "ValueError", "text": "no 0.25"}),
        ("return pairs", {"stream": "<DStream>"}),
        ("return [1]", {"returned": "<list>"}),
    ],
)
def test_a_window_is_accepted_or_rejected_when_it_is_defined(spark: Any, body: str, rows: dict[str, str]) -> None:
    code = f"def windowed_counts(pairs, window_s, slide_s): {body}"
    case = {"window_s": 0.25, "slide_s": 0.1, "batch_s": 0.1}

    assert rows_of("windowed_counts", code, case, spark=spark) == rows


@pytest.mark.parametrize(
    ("read", "passes"),
    [
        ([500, *[1000] * 19, *[1500] * 3], True),
        ([500, *[1000] * 4, 5000, *[1000] * 14, 9000, 1500, 1500], True),  # slides at which Spark saves its state
        ([500 * min(number, 20) for number in range(1, 24)], False),  # a recount of the window
        ([1000] * 22, False),  # a batch is missing
        (None, False),
    ],
)
def test_a_slide_of_a_full_window_may_read_what_leaves_as_well(read: Any, passes: bool) -> None:
    (case,) = cases.long_window("any")
    sums = oracle.windowed_counts(case["batches"], case["window_batches"], 1)
    slides = [{"at_batch": at, "rows": [list(each) for each in rows.items()]} for at, rows in sums.items()]

    wrong = a_slide_reads_what_enters_and_leaves.judge(case, {"slides": slides, "read": read})

    assert (wrong is None) is passes
