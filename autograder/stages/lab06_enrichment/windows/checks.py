"""The checks of `fraud_windows`: windows and their contents, repeats, late rows, rows of state, the whole job."""

from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_reject
from autograder.stages.lab06_enrichment.windows import cases, oracle
from autograder.stages.lab06_enrichment.windows.comparators import each_once, total, windows_of

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

    A transaction is late if it is not newer than the watermark. A negative watermark must be rejected.
    """
    valid, late = oracle.is_valid(case), oracle.on_time(case)[1]
    wrong = _same_windows(case, rows) if valid else must_reject("fraud_windows(rows, watermark_s=-1)", rows)
    if wrong or not valid:
        return wrong
    return same_value(late, rows.get("dropped"), what="the number of late transactions in each file")


@check(TASK, cases=cases.hours, invariant=9, after="late_transactions_are_dropped_and_counted")
def the_state_of_each_hour_is_as_large_as_that_of_the_first(case: Case, rows: Rows) -> Mismatch | None:
    """Compare Spark's own counts of the rows of state after each of some equal hours; the windows must be right."""
    without = oracle.state_rows_without_watermark(case)
    if wrong := _same_windows(case, rows):
        return wrong
    kept = rows.get("state_rows")
    if isinstance(kept, list) and len(kept) == len(case["files"]) and all(_is_at_most(kept[0], each) for each in kept):
        return None
    hours = f"{len(case['files'])} hours with the same transactions (watermark_s={case['watermark_s']})"
    what = f"Expected no more rows of state after any of {hours} than after the first; yours has {shown(kept)}."
    return Mismatch(f"{what} A query without a watermark ends with {without}.", "as after the first hour", kept)


@check(TASK, cases=cases.on_kafka, invariant=1, chain="lab03_log/write_once", chain_inside=True)
def payments_on_kafka_come_out_flagged_and_windowed_once(case: Case, rows: Rows) -> Mismatch | None:
    """Kill the job of all parts when each of its queries has written a batch and not committed it; restart it.

    Its last topic may have a window twice, and the table of the learner's Lab 3 may not.
    """
    return _same_job(case, rows)


@check(TASK, cases=cases.on_kafka, invariant=9, after="payments_on_kafka_come_out_flagged_and_windowed_once")
def the_job_asks_the_store_for_each_key_once_a_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Count the keys that both runs of the job request from the store; its windows must be right."""
    expected, without = oracle.keys_asked_for(case), oracle.calls_without_cache(case)
    if wrong := _same_job(case, rows):
        return wrong
    asked = rows.get("asked")
    keys = asked[0] if isinstance(asked, list) and len(asked) == 1 else asked
    wrong = same_items(expected, keys, what="the keys requested from the store")
    if wrong is None or not isinstance(keys, list):
        return wrong
    what = f"Expected the job to ask for {len(expected)} keys, each once in each run of a batch"
    calls = f"yours asks for {len(keys)}. One call for each key of each payment needs {without}."
    return replace(wrong, sentence=f"{what}; {calls}", also_runs=("enrich_partitioned",))


def _is_at_most(first: Any, rows: Any) -> bool:
    return type(first) is int and type(rows) is int and rows <= first


def _same_windows(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.windows(case)
    windows = windows_of(rows)
    return windows if isinstance(windows, Mismatch) else same_items(expected, windows, what=WHAT)


def _same_job(case: Case, rows: Rows) -> Mismatch | None:
    expected, windows = oracle.windows_of_payments(case), windows_of(rows)
    if isinstance(windows, Mismatch):
        return windows
    what = f"{WHAT} in the %s of a job that was killed once"
    wrong = (
        same_items(expected, windows, what=what % "table")
        or same_items(expected, each_once(rows.get("topic")), what=what % "topic")
        or same_value(True, rows.get("killed"), what="whether the first run had closed windows when it was killed")
    )
    return wrong and replace(wrong, also_runs=("enrich_partitioned",))
