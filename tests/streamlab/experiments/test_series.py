"""Rows become lines, and lines become words."""

from typing import NamedTuple

from streamlab.experiments.series import fields_of, in_words, lines_of


class Row(NamedTuple):
    way: str
    fences: int
    per_s: float


ROWS = [Row("scan", 10, 9000.0), Row("tree", 10, 7000.5), Row("scan", 100, 0.25)]


def test_each_name_gets_a_line() -> None:
    assert lines_of(ROWS, "way", "fences", "per_s") == {"scan": [(10, 9000.0), (100, 0.25)], "tree": [(10, 7000.5)]}


def test_each_field_gets_a_line() -> None:
    assert fields_of(ROWS[:2], "per_s", "fences") == {"fences": [(9000.0, 10), (7000.5, 10)]}
    assert list(fields_of(ROWS, "fences", "per_s")) == ["per s"]


def test_the_text_has_the_first_and_last_value_of_each_line() -> None:
    words = in_words(lines_of(ROWS, "way", "fences", "per_s"))

    assert words == "scan: 9,000 at 10 to 0.25 at 100; tree: 7,000 at 10 to 7,000 at 10"


def test_lines_without_points_have_no_text() -> None:
    assert in_words({"empty": []}) == ""
