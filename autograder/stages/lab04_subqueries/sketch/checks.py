"""The checks of `distinct_count`: its registers, how they merge, and the estimate."""

import math
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab04_subqueries.sketch import cases, oracle

TASK = "distinct_count"
STANDARD_ERRORS, WITHIN = 3, 27  # a right sketch is outside of three standard errors once in 370 streams


def _wrong_length(case: Case, rows: Rows, got: Any, what: str) -> Mismatch | None:
    """Require that a partial result is bytes, one for each register."""
    if wrong := must_answer(f"distinct_count({case['p']})", "an AggregateFunction", rows):
        return wrong
    length = got.get("registers") if isinstance(got, dict) else got
    if length == 2 ** case["p"]:
        return None
    sentence = f"Expected {what} of distinct_count({case['p']}) to be bytes of length {2 ** case['p']}"
    found = f"has the length {shown(length)}" if isinstance(got, dict) else f"is {shown(got)}"
    return Mismatch(f"{sentence}; yours {found}.", 2 ** case["p"], got)


def _wrong_registers(case: Case, rows: Rows, ranks: Any, got: Any, what: str) -> Mismatch | None:
    """Compare a partial result with the right registers: their number, then the ranks."""
    wrong, call = _wrong_length(case, rows, got, what), f"{what} of distinct_count({case['p']})"
    return wrong or same_value(ranks, got.get("ranks"), what=f"the registers above 0 in {call}, by number,")


@check(TASK, cases=cases.lifted)
def a_value_sets_the_register_of_its_first_bits(case: Case, rows: Rows) -> Mismatch | None:
    """Check the number and the rank of the register that each value sets, and that no other one is set."""
    expected = [oracle.ranks(case["p"], [value]) for value in case["values"]]
    partials = rows.get("partials")
    found = partials if isinstance(partials, list) else []
    for at, (value, ranks) in enumerate(zip(case["values"], expected, strict=True)):
        got = found[at] if at < len(found) else None
        if wrong := _wrong_registers(case, rows, ranks, got, f"lift({shown(value)})"):
            return wrong
    return None


@check(TASK, cases=cases.merged, invariant=12)
def merged_registers_are_those_of_all_values(case: Case, rows: Rows) -> Mismatch | None:
    """Check that merged parts equal the union, and that neither order nor repetition changes a register."""
    both, few = [*case["left"], *case["right"]], f"{len(case['left'])} and {len(case['right'])} values"
    ranks = oracle.ranks(case["p"], both)
    wrong = _wrong_registers(case, rows, ranks, rows.get("of_all"), f"all {len(both)} values, combined one by one,")
    return wrong or _wrong_registers(case, rows, ranks, rows.get("merged"), f"the parts with {few}, combined,")


@check(TASK, cases=cases.estimated)
def the_estimate_follows_from_the_registers(case: Case, rows: Rows) -> Mismatch | None:
    """Check both formulas, and which of them applies."""
    expected, registers = oracle.estimate(case["registers"]), case["registers"]
    of = f"lower of {len(registers)} registers, {registers.count(0)} of them 0,"
    wrong = must_answer(f"distinct_count({case['p']})", "an AggregateFunction", rows)
    return wrong or same_value(expected, rows.get("estimate"), what=of, tolerance=1e-9 * max(1.0, expected))


@check(TASK, cases=cases.streams)
def estimates_are_within_three_standard_errors(case: Case, rows: Rows) -> Mismatch | None:
    """Check at least 27 of 30 streams: empty, all equal, uniform, Zipf."""
    right = [oracle.distinct(each["values"]) for each in case["streams"]]
    if wrong := must_answer("distinct_count", "an AggregateFunction", rows):
        return wrong
    estimates = rows.get("estimates")
    got: list[Any] = estimates if isinstance(estimates, list) and len(estimates) == len(right) else [None] * len(right)
    outside = [
        f"{exact} distinct values with p = {stream['p']} are estimated as {shown(found)}"
        for stream, exact, found in zip(case["streams"], right, got, strict=True)
        if not _is_near(found, exact, stream["p"])
    ]
    if len(right) - len(outside) >= WITHIN:
        return None
    what = f"at least {WITHIN} of {len(right)} streams to be estimated within 3 × 1.04 / √m"
    return Mismatch(f"Expected {what}; in yours, {len(outside)} are not: {outside[0]}.", right, got)


def _is_near(found: Any, exact: int, p: int) -> bool:
    most = STANDARD_ERRORS * 1.04 / math.sqrt(2**p)
    return type(found) in (int, float) and abs(found - exact) <= most * exact


@check(TASK, cases=cases.invalid, invariant=11)
def p_outside_7_to_16_raises_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that 7 and 16 are accepted."""
    if not cases.SMALLEST <= case["p"] <= cases.LARGEST:
        return must_reject(f"distinct_count({case['p']})", rows)
    partials = rows.get("partials")
    got = partials[0] if isinstance(partials, list) and partials else None
    return _wrong_length(case, rows, got, "lift")
