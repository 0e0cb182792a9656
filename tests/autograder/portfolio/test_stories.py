"""Recorded calls become lines of a test, up to the first value that cannot be written as text."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from autograder.portfolio.python_text import NotPlain, python_text
from autograder.portfolio.stories import Stories
from autograder.portfolio.tests_text import wrapped
from streamlab.lab02_windows.places import BOSTON


def lines_of(name: str, task: Any, use: Callable[[Any], Any]) -> list[list[str]]:
    stories = Stories()
    use(stories.wrap(name, task))
    return [story.lines for story in stories.all]


class Total:
    """A task that is a class."""

    def __init__(self, first: int) -> None:
        self.sum = first

    def add(self, number: int) -> None:
        """Add a number."""
        self.sum += number

    def parts(self) -> Iterator[int]:
        """Yield the sum."""
        yield self.sum


def test_each_call_of_a_function_is_a_story() -> None:
    def use(half: Any) -> None:
        half(4)
        with pytest.raises(TypeError):
            half("a")

    expected = [["assert half(4) == 2.0"], ["with pytest.raises(TypeError):", '    half("a")']]
    assert lines_of("half", lambda number: number / 2, use) == expected


def test_an_object_and_its_calls_are_one_story() -> None:
    def use(total: Any) -> None:
        made = total(1)
        made.add(2)
        list(made.parts())
        assert made.sum == 3

    lines = ["made = Total(1)", "made.add(2)", "assert list(made.parts()) == [3]", "assert made.sum == 3"]
    assert lines_of("Total", Total, use) == [lines]


def test_a_story_ends_at_a_value_that_cannot_be_written() -> None:
    def use(total: Any) -> None:
        made = total(1)
        made.add(Ellipsis if made.sum > 1 else 2)
        with pytest.raises(TypeError):
            made.add(print)
        made.add(4)

    assert lines_of("Total", Total, use) == [["made = Total(1)", "assert made.sum == 1", "made.add(2)"]]


@pytest.mark.parametrize(
    "value", [None, 1.5, b"a", "don't", 'say "a"', [(1,), ()], {2: {1}}, set(), frozenset({1}), Fraction(1, 3), BOSTON]
)
def test_a_value_comes_back_from_its_text(value: object) -> None:
    classes: dict[str, str] = {}
    text = python_text(value, classes)

    assert eval(text, {"Fraction": Fraction, "Place": type(BOSTON)}) == value
    assert classes.keys() <= {"Fraction", "Place"}


@pytest.mark.parametrize("value", [float("nan"), print, iter([]), object(), [lambda: 0]])
def test_a_value_that_cannot_be_written_as_text_is_not_plain(value: object) -> None:
    with pytest.raises(NotPlain):
        python_text(value, {})


def test_a_long_line_is_broken_after_a_comma_in_brackets() -> None:
    items = ", ".join(f'"a, {number}"' for number in range(30))

    broken = wrapped(f"    assert f([{items}]) == 3")

    assert max(map(len, broken.splitlines())) <= 100
    assert "".join(line.strip() + " " for line in broken.splitlines()).strip() == f"assert f([{items}]) == 3"
