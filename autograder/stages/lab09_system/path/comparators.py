"""Reads the rows of `alerts`: those of the stub's desks, those of dead letters, and the calls of the store."""

from collections import Counter
from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

COLUMNS = "(kind, account, subject, time_ms, cents)"
OF_STUB = (
    "The check's Desk reports every payment: as subject its id, the longitude of the phone and the open shops, as "
    "cents the limit (-1 without an answer)."
)


def call_of(case: Case) -> str:
    """Return the call as a learner would write it."""
    return f"alerts(records, {case['shards']}, {case['lateness_s']}, open_store)"


def described(call: str, rows: Rows) -> Mismatch | None:
    """Require the mark of a query that was only described."""
    return same_value("a streaming DataFrame", rows.get("described"), what=f"the answer of {call}")


def same_alerts(case: Case, expected: list[Any], rows: Rows) -> Mismatch | None:
    """Compare the rows that desks returned, without their empty column `record`."""
    received = _rows(case, rows)
    if isinstance(received, Mismatch):
        return received
    got = [row[:5] for row in received if not _is_dead(row)]
    wrong = same_items(expected, got, what=f"the alerts {COLUMNS} of {case['shards']} shards")
    missing = sum((Counter(map(str, expected)) - Counter(map(str, got))).values())
    count = f" In all, {missing} of {len(expected)} are missing." if missing > 1 else ""
    return wrong and replace(wrong, sentence=f"{wrong.sentence}{count} {OF_STUB}")


def same_dead_letters(case: Case, expected: list[Any], rows: Rows) -> Mismatch | None:
    """Compare the rows of dead letters, with their records."""
    received = _rows(case, rows)
    if isinstance(received, Mismatch):
        return received
    return same_items(expected, [row for row in received if _is_dead(row)], what="the rows of dead letters")


def none_dropped(rows: Rows) -> Mismatch | None:
    """Require that Spark dropped no row."""
    dropped = rows.get("dropped")
    if dropped == 0:
        return None
    sentence = f"Expected no row to be older than the watermark; Spark dropped {shown(dropped)} of yours."
    return Mismatch(f"{sentence} Which record has moved it?", 0, dropped)


def asked_once(case: Case, expected: dict[str, int], rows: Rows) -> Mismatch | None:
    """Compare the number of calls, the openings in each process, and how often each account was asked for."""
    asked, opened = rows.get("asked"), rows.get("opened")
    received = _rows(case, rows)
    if isinstance(received, Mismatch):
        return received
    calls = [call for call in asked if call] if isinstance(asked, list) else []
    most = case["shards"] * len(case["files"])
    if not 0 < len(calls) <= most:
        count = f"{case['shards']} shards in {len(case['files'])} batches"
        return Mismatch(f"Expected 1 to {most} calls of get_many from {count}; yours are {len(calls)}.", most, calls)
    openings = max(Counter(map(str, opened)).values(), default=0) if isinstance(opened, list) else None
    if openings is None or openings > 1:
        return Mismatch(f"Expected one store in each process; yours opens {openings} in one.", 1, opened)
    got = Counter(account for call in calls for account in (call if isinstance(call, list) else []))
    often = [account for account in got if got[account] > expected.get(account, 0)]
    if not often:
        return None
    times, batches = got[often[0]], expected.get(often[0], 0)
    sentence = (
        f"Expected get_many for {shown(often[0])} once in each of {batches} batches with payments of it; yours asks "
    )
    return Mismatch(f"{sentence}{times} times.", batches, times)


def _rows(case: Case, rows: Rows) -> list[Any] | Mismatch:
    if wrong := must_answer(call_of(case), "a streaming DataFrame", rows):
        return wrong
    received = rows.get("rows")
    if isinstance(received, list) and all(isinstance(row, list) and len(row) == 6 for row in received):
        return received
    return Mismatch(f"Expected rows with the columns of ALERTS; yours are {shown(received)}.", None, received)


def _is_dead(row: list[Any]) -> bool:
    return bool(row[0] == "DEAD")
