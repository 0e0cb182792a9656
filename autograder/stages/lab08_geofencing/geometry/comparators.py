"""How places and records are described, and the first place with a wrong answer."""

from typing import Any

from autograder.checks import Case, Mismatch
from autograder.checks.compare import shown

RINGS_SHOWN, VALUE_SHOWN = 300, 160


def first_wrong_place(case: Case, expected: list[bool], got: Any) -> Mismatch | None:
    """The first place whose answer differs."""
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers of contains; yours are {shown(got)}.", expected, got)
    for (lon, lat), want, came in zip(case["places"], expected, got, strict=True):
        if came is not want:
            call = f"contains(polygons, {lon!r}, {lat!r})"
            fence = f"polygons = {shown(case['polygons'], RINGS_SHOWN)}"
            return Mismatch(f"Expected {call} to be {want}; yours is {shown(came)}. Here {fence}.", want, came)
    return None


def call_of(case: Case) -> str:
    """Example: 'read_record("positions", "m", None, 5, 7)'; a text of JSON is shown between single quotes."""
    value = repr(case["value"])
    held = value if len(value) <= VALUE_SHOWN else value[: VALUE_SHOWN - 2] + "…'"
    return f"read_record({shown(case['topic'])}, {shown(case['key'])}, {held}, {case['time_ms']}, {case['offset']})"
