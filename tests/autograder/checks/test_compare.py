"""Comparators report the expected and the actual value, and distinguish losses from duplicates."""

import pytest

from autograder.checks import same_counts, same_items, same_sequence, same_value
from autograder.checks.compare import is_whole, key_of, shown
from autograder.checks.pairs import added_up, same_again


def test_right_counts_in_any_order_match() -> None:
    assert same_counts({"a": 1, "b": 2}, [["b", 2], ["a", 1]]) is None


@pytest.mark.parametrize(
    ("got", "message"),
    [
        ([["don't", 1]], 'Expected ("don\'t", 2); your counts have ("don\'t", 1).'),
        ([["don", 1], ["t", 1]], 'Expected ("don\'t", 2); your counts have ("don", 1) and ("t", 1).'),
        ([], "your counts lack it"),
        ([["don't", 1], ["don't", 1]], "have 2 entries for it"),
        ([["don't", 2], ["stop", 1]], 'have ("stop", 1), which is not in the input'),
        ([["don't", 2.5]], 'your counts have ("don\'t", 2.5)'),
        ([["don't", True]], 'your counts have ("don\'t", True)'),
        ("don't", "Expected pairs (key, count)"),
        ([1, 2], "Expected pairs (key, count)"),
        (None, "Expected pairs (key, count)"),
        ([[["x"], 1]], "your counts have"),
    ],
)
def test_a_mismatch_of_counts_names_the_key_and_the_difference(got: object, message: str) -> None:
    mismatch = same_counts({"don't": 2}, got)

    assert mismatch is not None
    assert message in mismatch.sentence


def test_a_sequence_in_another_order_is_a_mismatch_that_names_its_first_difference() -> None:
    mismatch = same_sequence([1, 2, 3], [1, 3, 2], what="the order")

    assert mismatch is not None
    assert mismatch.sentence == "Expected the order to be [1, 2, 3]; yours is [1, 3, 2]: position 1 differs."


@pytest.mark.parametrize("got", [[1, 2], [1, 2, 3, 4], "123", None, {"a": 1}])
def test_a_sequence_of_another_length_or_type_is_a_mismatch(got: object) -> None:
    assert same_sequence([1, 2, 3], got, what="the order") is not None


@pytest.mark.parametrize(
    ("got", "message"),
    [
        ([1, 1, 2], "Expected 1 once among items; yours have it twice."),
        ([1], "lack it"),
        ([1, 2, 9], "without 9; yours have it"),
        ([1, 9], "yours have 9"),
    ],
)
def test_missing_repeated_and_foreign_items_have_different_messages(got: list[int], message: str) -> None:
    mismatch = same_items([1, 2], got, what="items")

    assert mismatch is not None
    assert message in mismatch.sentence


@pytest.mark.parametrize(
    ("expected", "got", "sentence"),
    [
        ([7, 7], [7], "Expected 7 twice among items; yours have it once."),
        ([7, 7], [7, 8], "Expected 7 twice among items; yours have it once."),
        ([7, 8], [7, 7, 7], "Expected 8 among items; yours have 7."),
        ([7], [7, 7], "Expected 7 once among items; yours have it twice."),
        ([7, 7], [], "Expected 7 among items; yours lack it."),
        (
            [[0, "ann", 3]],
            [[5, "bob", 4], [0, "ann", 4]],
            'Expected [0, "ann", 3] among items; yours have [0, "ann", 4].',
        ),
        (
            [{"k": "a", "n": 1}],
            [{"k": "b"}, {"k": "a"}],
            'Expected {"k": "a", "n": 1} among items; yours have {"k": "a"}.',
        ),
    ],
)
def test_items_are_counted_and_a_wrong_row_is_shown_with_the_most_similar_one(
    expected: list[object], got: list[object], sentence: str
) -> None:
    mismatch = same_items(expected, got, what="items")

    assert mismatch is not None
    assert mismatch.sentence == sentence


HUGE = 10**400
BIG = 2**53


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (BIG, BIG + 1),
        (float(BIG), BIG + 1),
        (1, HUGE),
        (1.5, HUGE),
        (HUGE, HUGE + 1),
        ([BIG], [BIG + 1]),
        (HUGE, -HUGE),
    ],
)
def test_whole_numbers_of_any_size_are_compared_exactly(expected: object, got: object) -> None:
    assert same_value(expected, got, what="the total") is not None
    assert same_sequence([expected], [got], what="the totals") is not None
    assert same_items([expected], [got], what="totals") is not None


def test_numbers_too_large_for_a_float_are_compared_within_the_tolerance() -> None:
    assert same_value(1.5, HUGE, what="the mean", tolerance=0.5) is not None
    assert same_value(HUGE, HUGE + 1, what="the total", tolerance=0.5) is not None
    assert same_value(HUGE, HUGE + 1, what="the total", tolerance=1.0) is None
    assert same_value(1.5, 1.75, what="the mean", tolerance=0.5) is None


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ([True], [1]),
        ([[1]], [[True]]),
        ({"late": 0}, {"late": False}),
        ({"a": [0, 1]}, {"a": [0, True]}),
        ([1], [1, 1]),
    ],
)
def test_a_boolean_within_an_answer_does_not_equal_a_number(expected: object, got: object) -> None:
    assert same_value(expected, got, what="the answer") is not None
    assert same_sequence([expected], [got], what="the answers") is not None
    assert same_counts([("key", expected)], [["key", got]]) is not None


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.0),
        (0, -0.0),
        (0.0, -0.0),
        (2**53, float(2**53)),
        (10**22, 1e22),
        ([1, (2, 3)], [1.0, [2.0, 3]]),
        ({"a": [1]}, {"a": [1.0]}),
        ({1: "a"}, {1.0: "a"}),
        ({True: "a"}, {"true": "a"}),
    ],
)
def test_numbers_are_equal_if_python_says_so_in_every_comparison(expected: object, got: object) -> None:
    assert same_value(expected, got, what="it") is None
    assert same_sequence([expected], [got], what="them") is None
    assert same_items([expected, 5], [5, got], what="them") is None
    assert same_counts([(str(expected), expected)], [[str(expected), got]]) is None
    assert same_again([["a", expected]], [["a", got]], names=("here", "there")) is None
    assert key_of(expected) == key_of(got)


def test_a_whole_number_may_be_a_float_and_never_a_truth_value() -> None:
    assert [is_whole(each) for each in (2, 2.0, -0.0, 1e300, 10**400)] == [True] * 5
    assert not any(is_whole(each) for each in (True, False, 2.5, float("inf"), float("nan"), "2", None, [2]))


def test_equal_keys_of_counts_are_one_key() -> None:
    assert same_counts({1: 2}, [[1.0, 2]]) is None
    assert same_counts({1: 2}, [[1, 1], [1.0, 1]]) is not None
    assert same_counts({1: 2}, [[True, 2]]) is not None
    assert added_up([["a", 1.0], ["a", 2]]) == [["a", 3]]


@pytest.mark.parametrize(("expected", "got"), [({True: "a"}, {1: "a"}), ({0: "a"}, {False: "a"}), ([[0]], [[False]])])
def test_a_truth_value_never_equals_a_number(expected: object, got: object) -> None:
    assert same_value(expected, got, what="it") is not None
    assert same_items([expected], [got], what="them") is not None
    assert same_again([["a", expected]], [["a", got]], names=("here", "there")) is not None
    assert key_of(expected) != key_of(got)


@pytest.mark.parametrize(("expected", "got"), [(True, 1), (1, True), (0, False), ("1", 1), (None, 0)])
def test_values_of_another_type_are_not_the_same(expected: object, got: object) -> None:
    assert same_value(expected, got, what="it") is not None


MANY = {f"q{number:02}": {"m0": number} for number in range(20)}


@pytest.mark.parametrize(
    ("got", "sentence"),
    [
        (MANY | {"q07": {"m0": 8}}, 'Expected "q07" in the loads to be {"m0": 7}; yours is {"m0": 8}.'),
        (dict(list(MANY.items())[1:]), 'Expected "q00" in the loads to be {"m0": 0}; yours has none.'),
        (MANY | {"r": None}, 'Expected no "r" in the loads; yours is None.'),
        (
            dict(reversed(MANY.items())) | {"q19": 0, "q01": 0},
            'Expected "q01" in the loads to be {"m0": 1}; yours is 0.',
        ),
    ],
    ids=["another value", "missing", "too many", "in another order"],
)
def test_the_sentence_about_long_dicts_shows_the_first_wrong_entry(got: object, sentence: str) -> None:
    mismatch = same_value(MANY, got, what="the loads")

    assert mismatch is not None
    assert mismatch.sentence == sentence


def test_numbers_within_the_tolerance_are_the_same() -> None:
    assert same_value(1.0, 1.0004, what="it", tolerance=0.001) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["a", 1], '("a", 1)'),
        (["a", "b"], '["a", "b"]'),
        (("a", "b"), '("a", "b")'),
        ([["a", 1], ["b", 2]], '[("a", 1), ("b", 2)]'),
        ([0, 1], "[0, 1]"),
        ({"x": "don't"}, '{"x": "don\'t"}'),
        ("x" * 200, '"' + "x" * 99 + "…"),
    ],
)
def test_values_are_shown_as_a_learner_would_write_them(value: object, text: str) -> None:
    assert shown(value) == text
