"""Counts are added up before the comparison; a value of another form is passed on for the comparison to report."""

from typing import Any

import pytest

from autograder.checks.pairs import added_up, same_again, some_counts

ODD = [None, 7, "text", [None], [["a"]], [["a", "b"]], [["a", True]], {"a": 1}, [[["a"], 1]]]


def test_counts_of_one_word_are_added_up() -> None:
    assert added_up([["a", 1], ["b", 1], ["a", 2]]) == [["a", 3], ["b", 1]]


@pytest.mark.parametrize("odd", ODD)
def test_values_that_are_not_counts_stay_as_they_are(odd: Any) -> None:
    assert added_up(odd) == odd


@pytest.mark.parametrize("odd", [*ODD, []])
def test_some_counts_accepts_at_least_one_count_and_nothing_else(odd: Any) -> None:
    assert some_counts([["a", 1]], what="counts") is None
    assert some_counts(odd, what="counts") is not None


@pytest.mark.parametrize("odd", [*ODD, [["a", 2]], [["a", 1], ["a", 1]]])
def test_two_answers_are_the_same_in_any_order_but_not_with_other_counts(odd: Any) -> None:
    assert same_again([["a", 1], ["b", 2]], [["b", 2], ["a", 1]], names=("here", "there")) is None
    assert same_again([["a", 1]], odd, names=("here", "there")) is not None
