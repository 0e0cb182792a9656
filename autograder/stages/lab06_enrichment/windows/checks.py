"""The checks of `fraud_windows`: two windows for each transaction, their contents, repeats and late transactions."""

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.rejection import must_reject
from autograder.stages.lab06_enrichment.windows import cases, oracle
from autograder.stages.lab06_enrichment.windows.comparators import total, windows_of

TASK = "fraud_windows"
WHAT = "windows (start, end, account, cents, transactions, suspicious)"


@check(TASK, cases=cases.streams, invariant=11)
def each_transaction_is_in_exactly_two_windows(case: Case, rows: Rows) -> Mismatch | None:
    """Check that all counts add up to twice the transactions, and that the windows match the definition."""
    expected = oracle.windows(case)
    counted, windows = len(oracle.on_time(case)[0]), windows_of(rows)
    if isinstance(windows, Mismatch):
        return windows
    what = f"the sum of the counts of all windows, for {counted} transactions,"
    wrong = same_value(2 * counted, total(windows), what=what)
    return wrong or same_items([each[:3] for each in expected], [each[:3] for each in windows], what="windows")


@check(TASK, cases=cases.streams, invariant=11, after="each_transaction_is_in_exactly_two_windows")
def windows_have_sums_counts_and_flags(case: Case, rows: Rows) -> Mismatch | None:
    """Compare every column of every window."""
    return _same_windows(case, rows)


@check(TASK, cases=cases.repeats, invariant=1, after="windows_have_sums_counts_and_flags")
def a_transaction_that_comes_twice_counts_once(case: Case, rows: Rows) -> Mismatch | None:
    """Check repeats in one file and across files."""
    return _same_windows(case, rows)


@check(TASK, cases=cases.late, invariant=11, after="a_transaction_that_comes_twice_counts_once")
def late_transactions_are_dropped_and_counted(case: Case, rows: Rows) -> Mismatch | None:
    """Check that late transactions are in no window and that Spark counts them.

    A transaction is late if it is older than the watermark. A negative watermark must be rejected.
    """
    valid, late = oracle.is_valid(case), oracle.on_time(case)[1]
    wrong = _same_windows(case, rows) if valid else must_reject("fraud_windows(rows, watermark_s=-1)", rows)
    if wrong or not valid:
        return wrong
    return same_value(late, rows.get("dropped"), what="the number of late transactions in each file")


def _same_windows(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.windows(case)
    windows = windows_of(rows)
    return windows if isinstance(windows, Mismatch) else same_items(expected, windows, what=WHAT)
