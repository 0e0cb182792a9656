"""The evidence of a verdict: both sides of a comparison, the case, and the invariant that is violated."""

import json
from typing import Any

from autograder.checks import Case, Check, Mismatch
from autograder.checks.compare import shown
from autograder.checks.cut_texts import side_by_side, size_of

CASE_CHARS = 600  # more than that, nobody reads or types in
GOT_CHARS = 200  # for each side of a comparison


def evidence_of(mismatch: Mismatch, case: Case, violated: Check | None) -> dict[str, str]:
    """Return the evidence of a mismatch, with the invariant of the check that was `violated` (None for an error)."""
    evidence = {}
    if mismatch.expected is not None or mismatch.got is not None:
        evidence["expected"], evidence["got"] = sides(mismatch.expected, mismatch.got)
    evidence["smallest_case"] = shown_case(case)
    if violated is not None and violated.invariant is not None:
        evidence["invariant"] = str(violated.invariant)
    return evidence


def sides(expected: Any, got: Any) -> tuple[str, str]:
    """Return both values as texts; of long ones, the part around the first place where they differ.

    Example: sides([1, 2], [1, 3]) -> ("[1, 2]", "[1, 3]")
    """
    return side_by_side(as_text(expected), as_text(got), GOT_CHARS)


def as_text(value: Any) -> str:
    """Return a text unchanged, and any other value as JSON."""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError) as problem:  # a sum of numbers with thousands of digits, for one
        return f"(cannot be shown: {problem})"


def shown_case(case: Case) -> str:
    """Return a case as text; "" if it is too long.

    Example: shown_case({"lines": ["a b"], "partitions": 1}) -> 'lines = ["a b"], partitions = 1'
    """
    text = ", ".join(f"{key} = {shown(value, CASE_CHARS)}" for key, value in case.items())
    return text if size_of(text) <= CASE_CHARS else ""  # a value that was cut makes the text longer than that


def can_be_shown(case: Case) -> bool:
    """Return whether a case is short enough to be read and typed in."""
    return bool(shown_case(case))
