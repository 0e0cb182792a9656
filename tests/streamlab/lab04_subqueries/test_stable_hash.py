"""The hash is the same in every process, and distinguishes a number from its text."""

from collections import Counter

from streamlab.lab04_subqueries import hash64


def test_a_value_has_the_same_hash_in_every_process() -> None:
    assert hash64("stream") == 15827570557234871424


def test_a_number_and_its_text_have_different_hashes() -> None:
    assert hash64(1) != hash64("1")


def test_hashes_of_numbers_in_a_row_are_spread_over_the_range() -> None:
    rows = Counter(hash64(number) >> 61 for number in range(8000))

    assert min(rows.values()) > 900
