"""The checks of `byte_rates`: rates by definition, restarts, repeats in any order, and lazy evaluation."""

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.stages.lab05_placement.rates import cases, oracle

FORM = "a DataFrame (sender, receiver, bytes_per_s)"
TASK = "byte_rates"
PRECISION = 1e-9


def _rates(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows, one for each pair that has a rate, within the precision of doubles."""
    expected = {f"{a} -> {b}": rate for (a, b), rate in oracle.rates(case["reports"]).items()}
    if rows.get("columns") != ["sender", "receiver", "bytes_per_s"]:
        got = rows.get("returned", rows.get("columns"))
        return Mismatch(f"Expected {FORM}; yours is {shown(got)}.", FORM, got)
    got = rows.get("rates")
    if not isinstance(got, list) or any(not isinstance(row, list) or len(row) != 3 for row in got):
        return Mismatch(f"Expected {FORM}; yours has {shown(got)}.", FORM, got)
    pairs = [f"{row[0]} -> {row[1]}" for row in got]
    if wrong := same_value(sorted(expected), sorted(pairs), what="the pairs with a rate"):
        return wrong
    for pair, row in zip(pairs, got, strict=True):
        rate = expected[pair]
        if wrong := same_value(rate, row[2], what=f"the rate of {pair} in bytes/s", tolerance=PRECISION * max(1, rate)):
            return wrong
    return None


@check(TASK, cases=cases.growing, invariant=10)
def a_rate_is_growth_over_time(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the time runs from the pair's first report to its last."""
    return _rates(case, rows)


@check(TASK, cases=cases.restarted, invariant=10, after="a_rate_is_growth_over_time")
def a_counter_that_restarted_counts_from_zero(case: Case, rows: Rows) -> Mismatch | None:
    """Check that a lower total counts as growth in full."""
    return _rates(case, rows)


@check(TASK, cases=cases.repeated, invariant=10, after="a_rate_is_growth_over_time")
def repeats_and_disorder_change_no_rate(case: Case, rows: Rows) -> Mismatch | None:
    """Check that a repeated report counts once."""
    return _rates(case, rows)


@check(TASK, cases=cases.growing, after="a_rate_is_growth_over_time")
def describing_the_rates_starts_no_job(case: Case, rows: Rows) -> Mismatch | None:
    """Check that no job starts before the rates are read."""
    return _rates(case, rows) or same_value(0, rows.get("jobs"), what="the number of jobs that the call starts")
