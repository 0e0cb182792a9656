"""Compares the answers of caches and describes their operations."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown

BEFORE = 6  # operations that a message shows


def cache_of(case: Case) -> str:
    """Return the constructor call of a case: "LruCache(2, ttl_s=10)"."""
    limit = f", ttl_s={float(case['ttl_s']):g}" if "ttl_s" in case else ""
    return f"LruCache({case['entries']}{limit})"


def _operation(step: list[Any]) -> str:
    now_s, name, key, *value = step
    call = f"put({key}, {shown(value[0])})" if name == "put" else f"get({key}{', default' if name == 'get' else ''})"
    return f"{call} at {now_s} s"


def operations_before(case: Case, step: int) -> str:
    """Return the last operations before a step: "…, put(1, "A") at 0 s, get(1, default) at 1 s"."""
    shown_from = max(0, step - BEFORE)
    earlier = ["…"] if shown_from else []
    return ", ".join([*earlier, *map(_operation, case["script"][shown_from:step])]) or "nothing"


def first_wrong_get(case: Case, expected: list[Any], got: Any) -> Mismatch | None:
    """Return the first get that differs, with the operations before it."""
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers of {cache_of(case)}; yours are {shown(got)}.", expected, got)
    at_steps = [at for at, step in enumerate(case["script"]) if step[1] != "put"]
    for step, want, answer in zip(at_steps, expected, got, strict=True):
        if not equal(want, answer):
            before = operations_before(case, step)
            what = f"{_operation(case['script'][step])} of {cache_of(case)} to return {shown(want)}"
            return Mismatch(f"Expected {what}; yours returns {shown(answer)}. Before it: {before}.", want, answer)
    return None


def callers_of(case: Case) -> str:
    """Return the callers of a case: "1 caller of CachedStore.get (device/ann/new at 1 ms (gives up after 2 ms))"."""
    each = [
        f"{'/'.join(key)} at {at_ms} ms{'' if patience is None else f' (gives up after {patience} ms)'}"
        for at_ms, key, patience in case["callers"][:BEFORE]
    ]
    more = ", …" if len(case["callers"]) > BEFORE else ""
    count = len(case["callers"])
    cache = " with a cache of 1 entry" if case.get("entries") == 1 else ""
    again = " who ask again as soon as the store has failed" if case.get("again") else ""
    return f"{count} caller{'s' if count != 1 else ''} of CachedStore.get{cache} ({', '.join(each)}{more}){again}"


def sorted_calls(rows: Rows) -> Any:
    """Return the key of each call, sorted; return rows of any other form unchanged."""
    calls = rows.get("calls")
    return sorted(calls, key=str) if isinstance(calls, list) else calls
