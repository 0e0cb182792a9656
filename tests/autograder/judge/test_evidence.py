"""Both sides of a comparison show where they differ, and a case is shown whole or left out."""

import pytest

from autograder.judge.evidence import CASE_CHARS, GOT_CHARS, shown_case, sides

LONG = list(range(300))


def test_short_values_are_shown_whole() -> None:
    assert sides({"a": 1}, [["a", 2]]) == ('{"a": 1}', '[["a", 2]]')


def test_long_values_are_shown_where_they_differ() -> None:
    expected, got = sides(LONG, [*LONG[:200], -1, *LONG[201:]])

    assert "199, 200, 201" in expected
    assert "199, -1, 201" in got
    assert max(len(expected), len(got)) <= GOT_CHARS + 1


def test_a_value_that_goes_on_is_shown_from_before_its_end() -> None:
    expected, got = sides(LONG, LONG[:200])

    assert got.endswith("199]")
    assert "199, 200" in expected


@pytest.mark.parametrize(
    ("case", "text"),
    [
        ({"lines": ["a b"], "partitions": 1}, 'lines = ["a b"], partitions = 1'),
        ({"text": "a" * (CASE_CHARS - 9)}, f'text = "{"a" * (CASE_CHARS - 9)}"'),
        ({"text": "a" * (CASE_CHARS - 8)}, ""),
        ({"events": [[1, 2]] * 500, "k": 3}, ""),
        ({"text": "é" * CASE_CHARS}, ""),  # cut after 600 bytes of UTF-8, which are 300 characters
    ],
)
def test_a_case_is_shown_whole_or_left_out(case: dict[str, object], text: str) -> None:
    assert shown_case(case) == text
