"""Compares and describes results of the clients."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown


def call_of(case: Case) -> str:
    """Return the call of a case as a learner would write it."""
    many = f"{len(case['transactions'])} transactions"
    if "batch" in case:
        return f"enrich_batched({many}, store, batch={case['batch']})"
    if "capacity" in case:
        order = "" if case.get("ordered", True) else ", ordered=False"
        arguments = f"capacity={case['capacity']}, timeout_s={case['timeout_ms'] / 1000:g}{order}"
        return f"enrich_async({many}, store, {arguments})"
    return f"enrich_sync({many}, store)"


def look_up_of(case: Case) -> str:
    """Return the call of `look_up` as a learner would write it."""
    return f"look_up({case['transactions'][0][0]}, store, timeout_s={case['timeout_ms'] / 1000:g})"


def first_wrong(case: Case, expected: list[Any], got: Any) -> Mismatch | None:
    """Return the first result that differs."""
    if not isinstance(got, list):
        return Mismatch(f"Expected {call_of(case)} to yield results; yours gives {shown(got)}.", len(expected), got)
    for at, (want, answer) in enumerate(zip(expected, got, strict=False)):
        if not equal(want, answer):
            what = f"result {at + 1} of {call_of(case)} to be {_short(want)}"
            return Mismatch(f"Expected {what}; yours is {_short(answer)}.", want, answer)
    if len(expected) == len(got):
        return None
    count = f"{len(expected)} result{'s' if len(expected) != 1 else ''}"
    until = f" before the store raises StoreError for {'/'.join(case['breaks'])}" if "breaks" in case else ""
    ids = [payment[0] for payment in case["transactions"]]
    equal_ones = ", one for each transaction, also if some are equal" if len(set(ids)) < len(ids) else ""
    what = f"{call_of(case)} to yield {count}{until or equal_ones}"
    return Mismatch(f"Expected {what}; yours yields {len(got)}.", len(expected), len(got))


def _short(result: Any) -> str:
    """Return a result as words: 't1 with the rows ["Shop 7", None] and the flags ["UNKNOWN_DEVICE"]'."""
    if isinstance(result, list) and len(result) == 3 and isinstance(result[0], list) and result[0]:
        return f"{shown(result[0][0], 20)} with the rows {shown(result[1])} and the flags {shown(result[2])}"
    return shown(result)


def with_times(rows: Rows) -> Any:
    """Return [id, ms, flags] of each result; return rows of any other form unchanged."""
    given, times = rows.get("given"), rows.get("at_ms")
    if not isinstance(given, list) or not isinstance(times, list) or len(given) != len(times):
        return [given, times]
    return [
        [each[0][0], ms, each[2]] if isinstance(each, list) and len(each) == 3 and _has_id(each[0]) else [each, ms]
        for each, ms in zip(given, times, strict=True)
    ]


def ids_of(given: Any) -> Any:
    """Return the id of each result; return anything that is no result unchanged."""
    if not isinstance(given, list):
        return given
    return [each[0][0] if isinstance(each, list) and each and _has_id(each[0]) else each for each in given]


def _has_id(payment: Any) -> bool:
    return isinstance(payment, list) and bool(payment)


def by_moment(got: Any) -> Any:
    """Return results of the same moment sorted by their id, and all others in their order."""
    moments: list[Any] = []
    for each in got if isinstance(got, list) else []:
        if moments and isinstance(each, list) and len(each) == 3 and moments[-1][0] == each[1]:
            moments[-1][1].append(each)
        else:
            moments.append([each[1] if isinstance(each, list) and len(each) > 1 else None, [each]])
    return [each for _, some in moments for each in sorted(some, key=lambda x: str(x[0]))]


def sorted_calls(rows: Rows) -> Any:
    """Return the keys of each call, sorted; return rows of any other form unchanged."""
    calls = rows.get("calls")
    if not isinstance(calls, list) or not all(isinstance(each, list) for each in calls):
        return calls
    return [sorted(each, key=str) if all(isinstance(key, list) for key in each) else each for each in calls]
