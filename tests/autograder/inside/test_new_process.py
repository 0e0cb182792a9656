"""A learner's function is called once more in a new process: its answers, or the text that says why there are none."""

import os
from typing import Any

import pytest

from autograder.inside.new_process import SHOWN_CHARS, answers_of_new_process


def raised(limit: int) -> None:
    raise ValueError("x" * limit + " in a new process")


def test_each_call_has_an_answer_from_one_other_process() -> None:
    answers = answers_of_new_process(lambda number, text: [number + 1, text, os.getpid()], [(1, "a"), (2, "b")])

    assert [each[:2] for each in answers] == [[2, "a"], [3, "b"]]
    assert {each[2] for each in answers}.isdisjoint({os.getpid()})
    assert len({each[2] for each in answers}) == 1


def test_texts_have_other_hashes_there() -> None:
    assert answers_of_new_process(hash, [("StreamLab",)]) != [hash("StreamLab")]


@pytest.mark.parametrize(
    ("function", "calls", "end"),
    [
        (raised, [(1,)], "ValueError: x in a new process"),
        (raised, [(9999,)], "in a new process"),
        (lambda: object(), [()], "is not JSON serializable"),
        (lambda: print("text") or 1, [()], "text\n[1]"),
    ],
    ids=["an exception", "a long message", "no JSON", "it prints"],
)
def test_an_answer_that_is_no_json_is_replaced_by_the_end_of_the_output(function: Any, calls: Any, end: str) -> None:
    text = answers_of_new_process(function, calls)

    assert text.endswith(end)
    assert len(text) <= SHOWN_CHARS
