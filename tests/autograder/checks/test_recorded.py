"""Recorded answers are decoded to the values that were encoded."""

import json
import math
from collections import Counter, namedtuple
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.recorded import NotPlain, Recorded, UnknownQuestion, decoded, encoded, question

Point = namedtuple("Point", "x y")


@dataclass
class Answer:
    rate: float
    runs: list[tuple[int, str]]


def through_json(value: Any) -> Any:
    return decoded(json.loads(json.dumps(encoded(value), allow_nan=False)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        2**53 + 1,
        -(10**40),
        0.1,
        math.inf,
        -math.inf,
        "",
        "\ud800",  # half of a pair, which UTF-8 cannot hold
        b"\x00\xff",
        (),
        (1, (2, [3])),
        {1, 2},
        frozenset({"a"}),
        {"a": [1]},
        {"$tuple": [1]},  # looks like an encoded value
        {1: "a", (2, "b"): None},
        Point(1, [2]),
    ],
)
def test_a_decoded_value_has_its_types(value: Any) -> None:
    decoded_value = through_json(value)

    assert decoded_value == value
    assert repr(decoded_value) == repr(value)


def test_nan_negative_zero_and_floats_keep_their_type_and_sign() -> None:
    assert math.isnan(through_json(math.nan))
    assert math.copysign(1, through_json(-0.0)) == -1
    assert type(through_json(1.0)) is float


def test_a_dict_keeps_its_order() -> None:
    assert list(through_json({2: 0, 1: 0})) == [2, 1]
    assert list(through_json({"b": 0, "a": 0})) == ["b", "a"]


def test_a_decoded_dataclass_has_its_fields() -> None:
    decoded_value = through_json(Answer(0.5, [(1, "a")]))

    assert (decoded_value.rate, decoded_value.runs) == (0.5, [(1, "a")])


@pytest.mark.parametrize("value", [object(), Counter("a"), len, [object()], 1j])
def test_values_that_are_not_plain_data_are_rejected(value: Any) -> None:
    with pytest.raises(NotPlain, match="is not plain data"):
        encoded(value)


def test_questions_distinguish_values_that_are_equal_in_python() -> None:
    asked = [question([value], {}) for value in (1, True, 1.0, "1", b"1", (1,), [1])]

    assert len(set(asked)) == len(asked)
    assert question([], {"a": 1, "b": 2}) == question([], {"b": 2, "a": 1})


def test_a_recorded_function_answers_only_recorded_questions(tmp_path: Path) -> None:
    answers = {"twice": {question([[1, 2]], {"by": 2}): encoded((2, 4))}}
    (tmp_path / "oracle.json").write_text(json.dumps({"constants": {"MS": 1000}, "answers": answers}))

    recorded = Recorded(str(tmp_path / "oracle.py"))
    twice = recorded.function("twice")

    assert twice([1, 2], by=2) == twice((each for each in [1, 2]), by=2) == (2, 4)
    assert recorded.constant("MS") == 1000
    with pytest.raises(UnknownQuestion, match="public cases only, and twice has none"):
        twice([1, 3], by=2)
