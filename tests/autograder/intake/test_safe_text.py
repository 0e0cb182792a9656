"""Safe text escapes characters that a reader cannot see, and cuts long texts."""

import pytest

from autograder.intake.safe_text import _visible, safe
from autograder.report.number_formats import points, rate


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("don't", "don't"),
        ("naïve café 🎈 שלום 単語", "naïve café 🎈 שלום 単語"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b31m", "\\x9b31m"),  # one character that many terminals read as ESC [
        ("a\r\nb\tc\x07", "a\\x0d\\x0ab\\x09c\\x07"),
        ("\u202egnp.exe", "\\u202egnp.exe"),  # reverses the text after it
        ("a\u200bb\u00a0c\ufeff", "a\\u200bb\\xa0c\\ufeff"),  # would look like "abc"
        ("\ud800", "\\ud800"),  # half of a pair cannot be written as UTF-8
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_a_character_that_cannot_be_seen_is_written_as_its_escape(text: str, shown: str) -> None:
    assert safe(text, 100) == shown


def test_line_ends_are_kept_only_on_request() -> None:
    assert safe("a\r\nb\nc", 100, multiline=True) == "a\nb\nc"


def test_a_long_text_is_cut_and_its_length_is_shown() -> None:
    assert safe("x" * 1_000_000, 5) == "xxxxx… (1 000 000 characters in all)"


def test_a_tower_of_accents_does_not_cover_the_lines_above() -> None:
    assert safe("e" + "\u0301" * 5, 100) == "e" + "\u0301" * 3 + "\\u0301" * 2


@pytest.mark.parametrize(
    ("value", "shown"), [(None, ""), (3, "3"), (["a", 1], '["a", 1]'), ({"a": None}, '{"a": null}')]
)
def test_a_value_that_is_not_a_text_is_shown_as_json(value: object, shown: str) -> None:
    assert safe(value, 100) == shown


@pytest.mark.parametrize(("number", "shown"), [(3.0, "3"), (1.5, "1.5"), (0.333333, "0.33"), (10.0, "10"), (-0.0, "0")])
def test_points_have_no_trailing_zeros(number: float, shown: str) -> None:
    assert points(number) == shown


@pytest.mark.parametrize(("per_s", "shown"), [(812_345.6, "812 000"), (99.44, "99.4"), (0.1234, "0.123"), (0.0, "0")])
def test_rates_have_three_significant_digits(per_s: float, shown: str) -> None:
    assert rate(per_s) == shown


@pytest.mark.parametrize("text", ["plain", "two\nlines", "tab\tbed", "é", "\x1b[31m", "a\u0301" * 9, "a\r\nb", ""])
@pytest.mark.parametrize("multiline", [True, False])
def test_the_fast_path_for_plain_text_gives_the_result_of_the_slow_one(text: str, multiline: bool) -> None:
    seen = text.replace("\r\n", "\n") if multiline else text

    assert safe(text, 100, multiline=multiline) == "".join(_visible(seen, multiline))
