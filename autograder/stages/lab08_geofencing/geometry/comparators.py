"""Describes places and records, and finds the first place with a wrong answer."""

from typing import Any

from autograder.checks import Case, Mismatch
from autograder.checks.compare import shown

FENCE_SHOWN = 260  # characters of the polygons that a message shows
VALUE_SHOWN = 160  # characters of a record's value that a message shows


def first_wrong_place(case: Case, expected: list[bool], got: Any) -> Mismatch | None:
    """Return the first place whose answer differs. The call shows a fence that is short."""
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers of contains; yours are {shown(got)}.", expected, got)
    for (lon, lat), want, answer in zip(case["places"], expected, got, strict=True):
        if answer is not want:
            polygons = str(case["polygons"])
            call = f"contains({polygons if len(polygons) <= FENCE_SHOWN else 'polygons'}, {lon!r}, {lat!r})"
            return Mismatch(f"Expected {call} to be {want}; yours is {shown(answer)}.", want, answer)
    return None


def whole_degrees(call: str, values: Any) -> Mismatch | None:
    """Check that all degrees of a record's values are floats; places may be nested."""
    degrees: list[Any] = [values[2:-1]] if isinstance(values, list) else []
    while degrees:
        each = degrees.pop()
        if type(each) is int:
            sentence = f"Expected {call} to return degrees as floats; yours has the int {each}."
            return Mismatch(sentence, float(each), each)
        degrees += each if isinstance(each, list) else []
    return None


def call_of(case: Case) -> str:
    """Return the call of a case: 'read_record("positions", "m", None, 5, 7)'. JSON is shown between single quotes."""
    value = repr(case["value"])
    text = value if len(value) <= VALUE_SHOWN else value[: VALUE_SHOWN - 2] + "…'"
    return f"read_record({shown(case['topic'])}, {shown(case['key'])}, {text}, {case['time_ms']}, {case['offset']})"
