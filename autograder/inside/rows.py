"""Plain rows, the results that leave a sandbox; drives make them with these functions.

The judge drops a line that is too deep or too large without parsing it (autograder.sandbox.event_reader). The functions
here raise `UnreadableAnswer` for such rows, so the learner gets the reason.
"""

import json
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from numbers import Number
from typing import Any

Rows = dict[str, Any]


NESTED_MAX = 18  # levels of lists and dicts; the rows themselves are the first one
BRACKETS_MAX = 199_990
CHARACTERS_MAX = 8_000_000


class UnreadableAnswer(Exception):
    """An answer that no check can read; the text says why."""


def readable(rows: Rows) -> Rows:
    """Return the rows, with JSON's numbers only. Raises `UnreadableAnswer` if no check can read them."""
    others: list[Any] = []

    def number_of(value: Any) -> Any:
        others.append(as_number(value))
        if others[-1] is None:
            raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
        return others[-1]

    text = _as_json(rows, number_of)
    brackets = text.count("[") + text.count("{")
    if brackets > NESTED_MAX and _is_deeper(rows, NESTED_MAX):
        raise _too_deep()
    if brackets > BRACKETS_MAX:
        raise UnreadableAnswer(
            f"the answer has {brackets:,} lists, dicts and brackets; at most {BRACKETS_MAX:,} are allowed"
        )
    if len(text) > CHARACTERS_MAX:
        raise UnreadableAnswer(
            f"the answer has {len(text):,} characters of JSON; at most {CHARACTERS_MAX:,} are allowed"
        )
    return json.loads(text) if others else rows


def _as_json(rows: Rows, number_of: Callable[[Any], Any]) -> str:
    """Return the rows as JSON, with integers of no more digits than Python, and so the judge, reads by default."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    try:
        return json.dumps(rows, allow_nan=False, default=number_of)
    except (ValueError, RecursionError) as problem:
        raise UnreadableAnswer(f"the answer cannot be written as JSON: {problem}") from None
    finally:
        sys.set_int_max_str_digits(limit)


def _too_deep() -> UnreadableAnswer:
    return UnreadableAnswer(f"the answer is nested over {NESTED_MAX} lists or dicts deep, and no check can read it")


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, list | tuple | dict):
        return False
    each_of = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in each_of)


def plain(value: Any, levels: int = NESTED_MAX - 1) -> Any:
    """Return `value` in a form that JSON can hold; any other value becomes a text that names its type.

    Raises `UnreadableAnswer` for a value that is nested over `levels` deep, for example one that contains itself.
    Example: plain((1, {2}, inf)) -> [1, "<set>", "inf"]
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, list | tuple | dict) and levels == 0:
        raise _too_deep()
    if isinstance(value, list | tuple):
        return [plain(each, levels - 1) for each in value]
    if isinstance(value, dict):
        return {key_text(key): plain(each, levels - 1) for key, each in value.items()}
    number = as_number(value)
    return type_name(value) if number is None else plain(number)


def key_text(key: Any) -> str:
    """Return the key of a dict as a text, as in JSON; equal numbers have the same one.

    Example: key_text(1.0) -> "1";  key_text(True) -> "true"
    """
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    number = key if isinstance(key, int | float) else as_number(key)
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    return str(key if number is None else number)


def as_number(value: Any) -> bool | int | float | None:
    """Return the truth value, int or float that equals a number of another type; None if there is none.

    Example: as_number(Fraction(1, 2)) -> 0.5;  as_number(numpy.int64(3)) -> 3;  as_number("3") -> None
    """
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    for convert in (int, float) if isinstance(value, Number) else ():
        with suppress(ArithmeticError, TypeError, ValueError):
            if (number := convert(value)) == value:
                return number
    return None


def type_name(value: Any) -> str:
    """Return the name of a value's type in angle brackets. Example: type_name({1}) -> "<set>"."""
    return f"<{type(value).__name__}>"


def or_rejected(answer: Callable[[], Rows], *errors: type[Exception]) -> Rows:
    """Return the rows of `answer()`, or the class and text of an error that it raised: one of `errors`, or ValueError.

    Example: or_rejected(lambda: {"n": int("x")}) -> {"rejected": "ValueError", "text": "invalid literal for int() …"}
    """
    try:
        return answer()
    except Exception as rejection:
        if not isinstance(rejection, errors or ValueError):
            raise
        return {"rejected": type(rejection).__name__, "text": str(rejection)[:300]}
