"""A written answer keeps its text and gets the question of the new release."""

import pytest

from autograder.builder.notebook import WRITE_HERE as END_OF_A_QUESTION
from autograder.releases.written_answers import WRITE_HERE, carried_answer

LINE = f"\n\n{WRITE_HERE}\n"
NOW = f"Why?{LINE}"


@pytest.mark.parametrize(
    ("parts", "carried"),
    [
        ([f"Why?{LINE}\nBecause."], f"{NOW}\nBecause."),
        ([f"Why?{LINE}Because.", "And so."], f"{NOW}\nBecause.\n\nAnd so."),  # split
        ([NOW], None),
        ([""], None),
        ([NOW, "Because."], f"{NOW}\nBecause."),
        (["Why? Because."], f"{NOW}\nBecause."),  # without the line
        (["Because."], f"{NOW}\nBecause."),  # without the question
        ([f"Why? Because.{LINE}"], f"Why? Because.{LINE}"),  # above the line
        ([f"Who?{LINE}Me."], f"Who?{LINE}Me."),  # the question has changed
        ([f"Who?{LINE}"], None),
    ],
)
def test_an_answer_is_carried_with_the_present_question(parts: list[str], carried: str | None) -> None:
    assert carried_answer(parts, NOW) == carried


def test_questions_end_in_the_line_that_the_builder_writes() -> None:
    assert END_OF_A_QUESTION.strip() == WRITE_HERE
