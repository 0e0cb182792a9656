"""Excerpts find the part in which two values differ and keep it visible."""

import pytest

from autograder.report.difference import excerpts


@pytest.mark.parametrize(
    ("expected", "got", "differing"),
    [
        ("[1, 2, 3]", "[1, 9, 3]", ("2", "9")),
        ("[1, 2]", "[1, 2, 2]", ("", ", 2")),
        ("abc", "xyz", ("abc", "xyz")),
        ("false", "true", ("false", "true")),  # not "fals" and "tru"
        ("-1.25", "-1.5", ("-1.25", "-1.5")),
        ("same", "same", ("", "")),
        ("only one side", "", ("", "")),
    ],
)
def test_only_the_differing_part_is_marked(expected: str, got: str, differing: tuple[str, str]) -> None:
    left, right = excerpts(expected, got)

    assert (left.differs, right.differs) == differing


def test_a_short_value_is_shown_completely() -> None:
    left, _ = excerpts("[1, 2, 3]", "[1, 9, 3]")

    assert (left.before + left.differs + left.after, left.full) == ("[1, 2, 3]", "")


def test_a_difference_late_in_a_long_value_is_visible() -> None:
    same = "word, " * 500

    left, right = excerpts(same + "1" + same, same + "2" + same)

    assert (left.differs, right.differs) == ("1", "2")
    assert len(left.before + left.differs + left.after) < 200
    assert left.full == same + "1" + same


def test_a_long_value_alone_is_cut_and_its_full_text_is_available() -> None:
    left, _ = excerpts("x" * 1000, "")

    assert len(left.before) < 300
    assert left.full == "x" * 1000
