"""Long texts are cut by their size in UTF-8, and two of them where they differ."""

import pytest

from autograder.checks.cut_texts import cut, side_by_side, size_of


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("streams", 7, "streams"),
        ("streams", 3, "str…"),
        ("né", 2, "n…"),  # the second character has two bytes
        ("\ud800", 3, "\ud800"),
        ("\ud800abc", 4, "a…"),  # half of a pair, which no file can hold
        ("text", 0, "…"),
    ],
)
def test_a_text_is_cut_by_its_bytes(text: str, most: int, shown: str) -> None:
    assert cut(text, most) == shown


@pytest.mark.parametrize(
    ("expected", "got", "shown"),
    [
        ("[1, 2]", "[1, 3]", ("[1, 2]", "[1, 3]")),
        ("[1, 2, 3, 4, 5, 6, 7]", "[1, 2, 3, 4, 5, 6, 8]", ("[1, 2…, 6, 7]", "[1, 2…, 6, 8]")),
        ("[1, 2, 3, 4, 5, 6, 7]", "[9, 2]", ("[1, 2, 3, 4, 5, …", "[9, 2]")),
        ("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5]", ("[1, 2… 4, 5, 6…", "[1, 2… 4, 5]")),
    ],
)
def test_two_long_texts_show_where_they_differ(expected: str, got: str, shown: tuple[str, str]) -> None:
    assert side_by_side(expected, got, 16) == shown
    assert max(map(size_of, shown)) <= 16 + size_of("…")
