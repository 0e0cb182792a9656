"""What is read from the rows of `enrich_from_state`: the calls, and the first answer of each transaction."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import shown

FORM = "(AccountState, list of Enriched)"


def calls_of(rows: Rows, count: int) -> list[dict[str, Any]] | Mismatch:
    """The rows of each of `count` calls, or what is wrong with them."""
    calls = rows.get("calls")
    if not isinstance(calls, list) or len(calls) != count or not all(isinstance(each, dict) for each in calls):
        got = rows.get("returned", calls)
        return Mismatch(f"Expected enrich_from_state to return {FORM}; yours returns {shown(got)}.", FORM, got)
    return calls


def ids_of(answers: Any) -> list[Any]:
    """The id of each answer; what is no answer stands for itself."""
    listed = answers if isinstance(answers, list) else [answers]
    return [each[0] if isinstance(each, list) and len(each) == 3 else each for each in listed]


def first_answers(lists: list[Any]) -> dict[str, Any]:
    """The first answer [rows, flags] of each id."""
    found: dict[str, Any] = {}
    for answers in lists:
        for each in answers if isinstance(answers, list) else []:
            if isinstance(each, list) and len(each) == 3:
                found.setdefault(str(each[0]), each[1:])
    return found
