"""The results of the clients and their times: a dictionary for the rows, two recurrences for the times."""

import heapq
from typing import Any

from autograder.checks import Case
from autograder.stages.lab06_enrichment.clients.cases import keys

NO_ANSWER = "NO_ANSWER"
OF_THE_STORE = ("StoreError", "TimeoutError")


def _result(payment: list[Any], answers: list[Any]) -> list[Any]:
    """Return [payment, rows, flags]. An answer is [row], None for an unknown key, or NO_ANSWER."""
    flags = [
        f"{'NO_ANSWER' if answer == NO_ANSWER else 'UNKNOWN'}_{kind}"
        for kind, answer in zip(("RECIPIENT", "DEVICE", "LOCATION"), answers, strict=True)
        if not isinstance(answer, list)
    ]
    return [payment, [answer[0] if isinstance(answer, list) else None for answer in answers], flags]


def results(case: Case) -> list[Any]:
    """Return each payment with its rows and flags, in order, as rows change and lookups fail."""
    rows = {tuple(key): row for *key, row in case["rows"]}
    changes = {at: (tuple(key), row) for at, key, row in case.get("changes", [])}
    silent = _silent(case)
    found = []
    for number, payment in enumerate(case["transactions"]):
        if number in changes:
            key, row = changes[number]
            rows.pop(key, None)
            rows |= {} if row is None else {key: row}
        asked = [tuple(key) for key in keys(payment)]
        answers = [NO_ANSWER if key in silent else [rows[key]] if key in rows else None for key in asked]
        found.append(_result(payment, answers))
    return found[: _answered(case)]


def _answered(case: Case) -> int:
    """Return how many payments have a result before the store fails. It fails for all payments of a call."""
    asking = [case.get("breaks") in keys(payment) for payment in case["transactions"]]
    first = asking.index(True) if True in asking else len(asking)
    return first if True not in asking else first - first % int(case.get("batch", 1))


def _silent(case: Case) -> set[tuple[str, ...]]:
    """Return the keys without an answer: their lookups fail, or exceed the timeout."""
    failing = {tuple(key) for *key, name in case.get("fails", []) if name in OF_THE_STORE}
    return failing | {tuple(key) for *key, ms in case.get("delays_ms", []) if ms > case.get("timeout_ms", ms)}


def durations_ms(case: Case) -> list[float]:
    """Return how long each payment takes once it is taken."""
    delays = {tuple(key): ms for *key, ms in case.get("delays_ms", [])}
    return [
        max(min(delays.get(tuple(key), 1), case["timeout_ms"]) for key in keys(payment))
        for payment in case["transactions"]
    ]


def given(case: Case) -> list[Any]:
    """Return [result, ms] in the order of the times; without order, results of the same moment are sorted by id."""
    took, capacity, ends = durations_ms(case), case["capacity"], list[float]()
    if case.get("ordered", True):
        for at, ms in enumerate(took):
            begin = ends[at - capacity] if at >= capacity else 0
            ends.append(max(begin + ms, ends[-1] if ends else 0))
        return [[each, end] for each, end in zip(results(case), ends, strict=True)]
    open_ends: list[float] = []
    for ms in took:
        begin = heapq.heappop(open_ends) if len(open_ends) == capacity else 0
        heapq.heappush(open_ends, begin + ms)
        ends.append(begin + ms)
    return sorted(([each, end] for each, end in zip(results(case), ends, strict=True)), key=lambda x: (x[1], x[0][0]))


def planned_error(case: Case) -> str | None:
    """Return the name of an error that is not the store's, if a lookup raises one."""
    return next((name for *_, name in case.get("fails", []) if name not in OF_THE_STORE), None)


def ends_ms(case: Case) -> float:
    """Return when one payment's lookup ends that is cancelled or raises an error that is not the store's."""
    delays = {tuple(key): ms for *key, ms in case.get("delays_ms", [])}
    failing = [delays.get(tuple(key), 1) for *key, name in case.get("fails", []) if name not in OF_THE_STORE]
    return float(case["cancel_ms"] if "cancel_ms" in case else min(failing))


def ids_before_error(case: Case) -> list[str]:
    """Return the ids of the payments before the first one with such an error."""
    failing = [key for *key, name in case.get("fails", []) if name not in OF_THE_STORE]
    wrong = [any(key in failing for key in keys(payment)) for payment in case["transactions"]]
    return [payment[0] for payment in case["transactions"][: wrong.index(True) if True in wrong else None]]


def calls(case: Case) -> list[list[list[str]]]:
    """Return the keys of each call, sorted, for batches."""
    size, payments = case["batch"], case["transactions"]
    chunks = [payments[at : at + size] for at in range(0, len(payments), size)]
    return [[list(key) for key in sorted({tuple(key) for each in chunk for key in keys(each)})] for chunk in chunks]
