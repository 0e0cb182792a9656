"""The checks of `enrich_from_state`: the right row, once, in the right call; kept versions; no loss at a kill."""

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.stages.lab06_enrichment.state import cases, oracle
from autograder.stages.lab06_enrichment.state.comparators import arrived_of, calls_of, first_answers, ids_of

TASK = "enrich_from_state"
KEPT = {"versions": "versions", "waiting": "waiting transactions"}


@check(TASK, cases=cases.histories, invariant=3)
def each_transaction_gets_the_newest_row_that_is_not_later(case: Case, rows: Rows) -> Mismatch | None:
    """Check the transactions that are answered in any call."""
    expected = oracle.answers_by_id(each for call in case["calls"] for each in call["arrived"])
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    got = first_answers([call.get("answers") for call in calls])
    for name, answer in expected.items():
        if name in got and (wrong := same_value(answer, got[name], what=f"rows and flags of {name}{arrived_of(case)}")):
            return wrong
    return None if got else same_value(sorted(expected), [], what="the ids that are answered")


@check(TASK, cases=cases.watermarks, invariant=1)
def transactions_wait_for_the_watermark(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the ids that each call answers, in their order."""
    return _answered_once(case, rows)


@check(TASK, cases=cases.repeats, invariant=1, after="transactions_wait_for_the_watermark")
def each_transaction_is_answered_once_in_any_order_of_arrival(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the ids answered where transactions come again; the given state must stay unchanged."""
    return _answered_once(case, rows)


def _answered_once(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.answered_ids(case["calls"])
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    for number, (ids, call) in enumerate(zip(expected, calls, strict=True), 1):
        at = case["calls"][number - 1]["watermark_ms"]
        what = f"the ids answered by call {number} at watermark {at}{arrived_of(case)}"
        if wrong := same_sequence(ids, ids_of(call.get("answers")), what=what):
            return wrong
        if call.get("unchanged") is not True:
            return Mismatch(f"Expected the state given to call {number} to stay unchanged; yours changes it.")
    return None


@check(TASK, cases=cases.forgotten, invariant=9, after="transactions_wait_for_the_watermark")
def versions_that_nobody_can_ask_for_are_dropped(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the versions [at_ms, seq, row] of each key and the ids of waiting transactions, after each call."""
    expected = oracle.kept_after(case["calls"])
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    for number, (kept, call) in enumerate(zip(expected, calls, strict=True), 1):
        at = case["calls"][number - 1]["watermark_ms"]
        for name in KEPT:
            what = f"the {KEPT[name]} kept by call {number} at watermark {at}{arrived_of(case)}"
            if wrong := same_items(kept[name], call.get(name), what=what):
                return wrong
    return None


@check(
    TASK,
    cases=cases.killed,
    invariant=10,
    after=(
        "each_transaction_gets_the_newest_row_that_is_not_later",
        "each_transaction_is_answered_once_in_any_order_of_arrival",
        "versions_that_nobody_can_ask_for_are_dropped",
    ),
)
def killing_the_workers_loses_no_row(case: Case, rows: Rows) -> Mismatch | None:
    """Stop a query on Spark between two files, kill its Python workers, and check that it resumes without loss."""
    expected = oracle.answered_before(case["files"], case["until_ms"])
    calls = calls_of(rows, len(case["calls"]))
    if isinstance(calls, Mismatch):
        return calls
    what = "the answers of a query whose workers were killed"
    killed = rows.get("killed")
    if (wrong := same_items(expected, rows.get("streamed"), what=what)) or killed is True:
        return wrong
    return Mismatch("Expected workers of the query to be killed between its files; none was.", True, killed)
