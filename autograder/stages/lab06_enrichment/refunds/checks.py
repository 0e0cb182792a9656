"""The checks of `with_refunds`: pairs within their time, payments without a refund, and Lab 4's join."""

from autograder.checks import Case, Mismatch, Rows, check, same_items
from autograder.checks.rejection import must_reject
from autograder.stages.lab06_enrichment.refunds import cases, oracle
from autograder.stages.lab06_enrichment.refunds.comparators import alone, files_of, paired

TASK = "with_refunds"
COLUMNS = "(id, account, cents, at, refund_id, refund_cents, refunded_at)"


@check(TASK, cases=cases.paired, invariant=11)
def a_refund_joins_its_payment_within_the_time_bound(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows that have a refund, at the edges of the time bound, too."""
    expected, files = paired(oracle.joined(case)), files_of(rows, len(case["files"]))
    if isinstance(files, Mismatch):
        return files
    return same_items(expected, paired(files), what=f"rows with a refund {COLUMNS}")


@check(TASK, cases=cases.waited, invariant=15)
def a_payment_without_a_refund_waits_for_the_watermark(case: Case, rows: Rows) -> Mismatch | None:
    """Check after each file which payments have come out without a refund, and that invalid times are rejected."""
    if not oracle.is_valid(case):
        return must_reject(f"with_refunds(…, {case['within_s']}, {case['watermark_s']})", rows)
    expected, files = oracle.joined(case), files_of(rows, len(case["files"]))
    if isinstance(files, Mismatch):
        return files
    for number, (right, file) in enumerate(zip(expected, files, strict=True), 1):
        if wrong := same_items(alone(right), alone(file), what=f"rows with no refund after file {number} {COLUMNS}"):
            return wrong
    return same_items(paired(expected), paired(files), what=f"rows with a refund {COLUMNS}")


@check(TASK, cases=cases.paired, chain="lab04_subqueries/Join")
def pairs_are_those_of_your_lab_4(case: Case, rows: Rows) -> Mismatch | None:
    """Run the learner's `Join` on the same rows, in order of time, and compare both with the definition."""
    expected, files = oracle.pairs(case), files_of(rows, len(case["files"]))
    if isinstance(files, Mismatch):
        return files
    own = same_items(expected, rows.get("own"), what="pairs (id, refund_id) of your Join")
    return own or same_items(expected, [[row[0], row[4]] for row in paired(files)], what="pairs (id, refund_id)")
