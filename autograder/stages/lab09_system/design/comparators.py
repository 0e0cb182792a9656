"""Compares the rows of `size` and `admit` with the right ones."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_value
from autograder.checks.compare import is_whole, shown
from autograder.checks.rejection import must_answer, must_reject


def size_text(case: Case) -> str:
    """Return the call: size([Stage("a", 100)], 20_000, 70, 30, 60)."""
    stages = ", ".join(f"Stage({', '.join(map(shown, each))})" for each in case["stages"])
    load = f"{case['peak_per_s']:_}, {case['busy_percent']}, {case['outage_s']}, {case['drain_s']}"
    return f"size([{stages}], {load})"


def size_of(case: Case, rows: Rows) -> list[Any] | Mismatch:
    """Return [instances, partitions, drain_ms] of a valid load, or a mismatch if it is rejected or has another form."""
    if wrong := must_answer(size_text(case), "a Size", rows):
        return wrong
    found: Any = rows.get("size")
    names = {each[0] for each in case["stages"]}
    if isinstance(found, list) and _is_size(found, names):
        return found
    want = f"Size(instances, partitions, drain_ms) with instances of {shown(sorted(names))}"
    return Mismatch(f"Expected {size_text(case)} to be {want}; yours is {shown(found)}.", want, found)


def _is_size(values: list[Any], names: set[str]) -> bool:
    has_the_form = len(values) == 3 and isinstance(values[0], dict) and set(values[0]) == names
    return has_the_form and all(map(is_whole, [*values[0].values(), *values[1:]]))


def wrong_size(case: Case, expected: list[Any], rows: Rows) -> Mismatch | None:
    """Return the first of the three values that is wrong."""
    found = size_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    names = "instances", "partitions", "drain_ms"
    wrong = (
        same_value(want, got, what=f"{name} of {size_text(case)}")
        for name, want, got in zip(names, expected, found, strict=True)
    )
    return next(filter(None, wrong), None)


def admit_text(case: Case) -> str:
    """Return the call: admit({"a": 10}, {"a": 0}, 12, 2)."""
    return f"admit({shown(case['waiting'])}, {shown(case['ranks'])}, {case['room']}, {case['least']})"


def granted_of(case: Case, rows: Rows, *, all_queues: bool = False) -> dict[str, Any] | Mismatch:
    """Return what each queue is granted, or a mismatch if the call is rejected or the answer has another form.

    Only with `all_queues` is a queue that is left out a mismatch; otherwise it is granted 0.
    """
    if wrong := must_answer(admit_text(case), "a dict", rows):
        return wrong
    found: Any = rows.get("granted")
    names = set(case["waiting"])
    if isinstance(found, dict) and all(map(is_whole, found.values())) and set(found) <= names:
        full = dict.fromkeys(case["waiting"], 0) | found  # in the order of the queues
        if full == found or not all_queues:
            return full
    want = f"a dict with a whole number for each of {shown(sorted(names))}"
    return Mismatch(f"Expected {admit_text(case)} to be {want}; yours is {shown(found)}.", want, found)


def wrong_room(case: Case, rows: Rows) -> Mismatch | None:
    """Return a queue that is granted more than waits there, or less than nothing, or a total that is wrong."""
    found = granted_of(case, rows, all_queues=True)
    if isinstance(found, Mismatch):
        return found
    for name, waits in case["waiting"].items():
        if not 0 <= found[name] <= waits:
            sentence = f"Expected 0 to {waits} records of {shown(name)}, where {waits} wait; yours are {found[name]}"
            return Mismatch(f"{sentence} in {admit_text(case)}.", waits, found)
    total = min(case["room"], sum(case["waiting"].values()))
    return same_value(total, sum(found.values()), what=f"the total of {admit_text(case)}")


def wrong_ranks(case: Case, expected: dict[str, int], rows: Rows) -> Mismatch | None:
    """Return a rank that is granted more or fewer records than expected, however its queues share them."""
    found = granted_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    totals = dict.fromkeys(expected, 0)
    for name, count in found.items():
        totals[str(case["ranks"][name])] += count
    return same_value(expected, totals, what=f"the records of each rank in {admit_text(case)}")


def must_be_rejected(call: str, rows: Rows) -> Mismatch | None:
    """Require a ValueError; CannotScale is one, too."""
    return None if rows.get("rejected") == "CannotScale" else must_reject(call, rows)
