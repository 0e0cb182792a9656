"""Any value that a learner's function returns becomes a value that JSON can hold."""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest

from autograder.inside.rows import (
    BRACKETS_MAX,
    CHARACTERS_MAX,
    NESTED_MAX,
    UnreadableAnswer,
    key_text,
    or_rejected,
    plain,
    readable,
    type_name,
)
from autograder.sandbox.event_reader import LINE_BYTES_MAX, parsed


def test_a_value_that_json_cannot_hold_becomes_a_text() -> None:
    rows = plain([{1}, (2, None, True), {"a": b"x"}, {3: 4}, float("inf"), 0.5, datetime(1970, 1, 1, tzinfo=UTC)])

    assert rows == ["<set>", [2, None, True], {"a": "<bytes>"}, {"3": 4}, "inf", 0.5, 0.0]
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Decimal("3.00"), 3),
        (Decimal("0.5"), 0.5),
        (Fraction(6, 2), 3),
        (Fraction(1, 2), 0.5),
        (numpy.int64(3), 3),
        (numpy.float32(0.5), 0.5),
        (numpy.bool_(True), True),
        (Decimal(10) ** 30, 10**30),
    ],
)
def test_a_number_of_another_type_becomes_the_equal_number(value: Any, number: Any) -> None:
    for row in (plain([value])[0], readable({"got": [value]})["got"][0]):
        assert (row, type(row)) == (number, type(number))


@pytest.mark.parametrize("value", [Decimal("0.1"), Fraction(1, 3), 1 + 2j, Decimal("NaN"), Decimal("sNaN"), {1}])
def test_a_value_that_equals_no_number_of_json_is_none(value: Any) -> None:
    assert plain(value) == type_name(value)
    with pytest.raises(TypeError, match=f"Object of type {type(value).__name__} is not JSON serializable"):
        readable({"got": value})


def test_equal_keys_have_one_text_and_truth_values_another() -> None:
    keys = [1, 1.0, Fraction(1), Decimal(1), numpy.int8(1), True, "1.0", None, (1, 2), 0.5, -0.0]

    assert [key_text(each) for each in keys] == [*["1"] * 5, "true", "1.0", "null", "(1, 2)", "0.5", "0"]


def test_a_value_that_is_not_a_row_is_named_by_its_type() -> None:
    assert type_name({1}) == "<set>"


def test_a_rejected_argument_becomes_a_row_and_an_answer_stays_as_it_is() -> None:
    def rejects() -> dict[str, int]:
        raise ValueError("not this")

    assert or_rejected(rejects) == {"rejected": "ValueError", "text": "not this"}
    assert or_rejected(lambda: {"n": 1}) == {"n": 1}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def line_of(rows: dict[str, Any]) -> bytes:
    """A line as the runner writes it."""
    event = {"event": "rows", "task": "t" * 80, "case": 10**6, "rows": rows, "seconds": 1.5, "token": "0" * 32}
    return json.dumps(event).encode() + b"\n"


@pytest.mark.parametrize(
    "rows",
    [
        {"got": nested(NESTED_MAX - 1)},
        {"got": [[]] * (BRACKETS_MAX - 2)},
        {"got": "[" * (BRACKETS_MAX - 1)},
        {"got": "x" * (CHARACTERS_MAX - 20)},
        {"got": 10**4299},
    ],
    ids=["depth", "lists", "brackets", "characters", "digits"],
)
def test_the_judge_can_read_the_largest_rows_that_may_leave_a_sandbox(rows: dict[str, Any]) -> None:
    line = line_of(readable(rows))

    assert len(line) < LINE_BYTES_MAX
    found = parsed(line)
    assert found is not None
    assert found["rows"] == rows


@pytest.fixture
def any_digits() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"got": nested(NESTED_MAX)}, "nested over 18"),
        ({"got": nested(5000)}, "nested over 18|cannot be written as JSON"),
        ({"got": [[]] * BRACKETS_MAX}, "199,992 lists, dicts and brackets"),
        ({"got": "x" * CHARACTERS_MAX}, "characters of JSON"),
        ({"got": 10**4300}, "4300 digits"),
        ({"got": float("nan")}, "cannot be written as JSON"),
    ],
    ids=["depth", "recursion", "lists", "characters", "digits", "nan"],
)
def test_the_error_for_an_answer_that_the_judge_would_drop_gives_the_reason(
    any_digits: None, rows: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnreadableAnswer, match=message):
        readable(rows)


def test_an_answer_that_contains_itself_is_an_error() -> None:
    itself: list[Any] = []
    itself.append(itself)

    with pytest.raises(UnreadableAnswer, match="nested over 18"):
        plain(itself)
