"""Plain values and errors cross between two sandboxes unchanged; nothing else does."""

import json
from enum import IntEnum
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

from autograder.inside.by_value import as_json, error_as_json, error_from_json, from_json
from streamlab.lab03_log.wire.batches import Batch, OffsetOutOfRange
from streamlab.lab05_placement.numa.topology import machine


class Number(IntEnum):
    ONE = 1


class OwnError(ValueError):
    """An error of a notebook."""


def refer(value: Any) -> Any:
    raise TypeError(f"a {type(value).__name__}")


def there_and_back(value: Any) -> Any:
    return from_json(json.loads(json.dumps(as_json(value, refer), allow_nan=False)), refer)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 1, 1.5, "a", inf, -inf, b"\x00\xff", Fraction(1, 3), Path("a/b")),
        *([1, (2, [3])], {"a": 1, 2: (3,), (4, 5): None}, {1, 2}, frozenset({(1, 2)})),
        *({"tuple": [1]}, {"yours": 0}, Batch(5, 2, b"ab"), machine([[10, 21], [21, 10]], [2, 1])),
    ],
    ids=repr,
)
def test_a_plain_value_or_a_record_of_the_kit_crosses_with_its_type(value: Any) -> None:
    back = there_and_back(value)

    assert (back, type(back)) == (value, type(value))


def test_an_object_of_a_subclass_arrives_as_the_builtin_type() -> None:
    assert type(there_and_back(Number.ONE)) is int


@pytest.mark.parametrize("value", [object(), len, OwnError, [object()]], ids=["object", "function", "class", "inside"])
def test_what_is_not_plain_is_referred_to(value: Any) -> None:
    with pytest.raises(TypeError):
        there_and_back(value)


@pytest.mark.parametrize(
    "named",
    [["os", "system"], ["subprocess", "Popen"], ["streamlab.services.base", "Service"], ["no.module", "Batch"]],
    ids=lambda named: named[1],
)
def test_no_object_of_a_class_that_holds_no_plain_values_is_made(named: list[str]) -> None:
    with pytest.raises(ValueError, match="no such class"):
        from_json({"kit": [*named, "true"]}, refer)


@pytest.mark.parametrize(
    "problem",
    [ValueError("no"), KeyError("x"), OSError(2, "No such file"), OffsetOutOfRange(9, 0, 5)],
    ids=lambda problem: type(problem).__name__,
)
def test_an_error_arrives_with_its_class_text_and_attributes(problem: Exception) -> None:
    back = error_from_json(json.loads(json.dumps(error_as_json(problem))))

    assert (type(back), str(back), vars(back)) == (type(problem), str(problem), vars(problem))


def test_an_error_of_a_class_that_is_unknown_here_arrives_as_its_nearest_base() -> None:
    back = error_from_json(error_as_json(OwnError("no")))

    assert (type(back), str(back)) == (ValueError, "no")


@pytest.mark.parametrize("problem", [SystemExit(1), KeyboardInterrupt()], ids=["exit", "interrupt"])
def test_what_would_end_a_process_arrives_as_an_error(problem: BaseException) -> None:
    assert type(error_from_json(error_as_json(problem))) is RuntimeError
