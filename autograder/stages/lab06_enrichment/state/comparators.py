"""Reads the rows of `enrich_from_state`: the calls, and the first answer of each transaction."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import shown

FORM = "(AccountState, list of Enriched)"
FEW = 5  # arrivals that a message shows


def calls_of(rows: Rows, count: int) -> list[dict[str, Any]] | Mismatch:
    """Return the rows of each of `count` calls, or a mismatch if they have the wrong form."""
    calls = rows.get("calls")
    if not isinstance(calls, list) or len(calls) != count or not all(isinstance(each, dict) for each in calls):
        got = rows.get("returned", calls)
        return Mismatch(f"Expected enrich_from_state to return {FORM}; yours returns {shown(got)}.", FORM, got)
    return calls


def arrived_of(case: Case) -> str:
    """Return what arrives in a small case, as part of a sentence: versions and transactions; "" for a large one."""
    arrived = [each for call in case["calls"] for each in call["arrived"]]
    if len(arrived) > FEW:
        return ""
    each_of = [
        f"{each[1]} at {each[7]}" if each[0] == "t" else f"{'/'.join(each[1:4])} {shown(each[4:])}" for each in arrived
    ]
    return f" (arrived: {', '.join(each_of)})"


def ids_of(answers: Any) -> list[Any]:
    """Return the id of each answer; return anything that is no answer unchanged."""
    listed = answers if isinstance(answers, list) else [answers]
    return [each[0] if isinstance(each, list) and len(each) == 3 else each for each in listed]


def first_answers(lists: list[Any]) -> dict[str, Any]:
    """Return the first answer [rows, flags] of each id."""
    found: dict[str, Any] = {}
    for answers in lists:
        for each in answers if isinstance(answers, list) else []:
            if isinstance(each, list) and len(each) == 3:
                found.setdefault(str(each[0]), each[1:])
    return found
