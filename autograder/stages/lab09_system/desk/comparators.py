"""Reads the rows of `Desk`: the alerts of each batch, in any order within it."""

from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_items
from autograder.checks.compare import key_of, shown

ALERT = "(kind, account, subject, time_ms, cents)"
MANY = 8


def batches_of(case: Case, rows: Rows) -> list[list[Any]] | Mismatch:
    """Return the alerts of each batch, or a mismatch if they have the wrong form."""
    if "not_plain" in rows:
        problem = rows["not_plain"]
        return Mismatch(f"Expected Desk.state to be plain data; yours is not: {problem}.", None, problem)
    found, count = rows.get("alerts"), len(case["batches"])
    if isinstance(found, list) and len(found) == count and all(isinstance(each, list) for each in found):
        return found
    got = rows.get("returned", found)
    return Mismatch(f"Expected Desk.run to return a list of alerts; yours returns {shown(got)}.", None, got)


def first_wrong(case: Case, expected: list[list[Any]], rows: Rows, *, by_batch: bool) -> Mismatch | None:
    """Compare the alerts of each batch, or only those of all batches together."""
    found = batches_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    if not by_batch:
        together = ([alert for batch in batches for alert in batch] for batches in (expected, found))
        return _same(case, *together, what="the alerts")
    for number, (wanted, got) in enumerate(zip(expected, found, strict=True), 1):
        at_ms = case["batches"][number - 1]["watermark_ms"]
        what = f"the alerts of batch {number} (watermark {at_ms:,})"
        if wrong := _same(case, wanted, got, what=what):
            return wrong
    return None


def _same(case: Case, expected: list[Any], got: list[Any], *, what: str) -> Mismatch | None:
    """Compare alerts, and add the rows on which the first wrong one depends."""
    wrong = same_items(expected, got, what=what)
    if wrong is None:
        return None
    wrong_ones = _only_in(expected, got) + _only_in(got, expected)
    rows = [row for batch in case["batches"] for row in batch["rows"]]
    if len(rows) > MANY:
        rows = _rows_of(rows, wrong_ones[0]) if wrong_ones else []
    told = f" The rows: {', '.join(map(_in_words, rows))}." if rows else ""
    return replace(wrong, sentence=wrong.sentence + told)


def _only_in(alerts: list[Any], others: list[Any]) -> list[Any]:
    keys = set(map(key_of, others))
    return [each for each in alerts if key_of(each) not in keys]


def _rows_of(rows: list[Any], alert: Any) -> list[Any]:
    """Return the newest rows of the alert's account and shop until the alert."""
    if not isinstance(alert, list) or len(alert) != 5 or not isinstance(alert[3], int):
        return []
    _, account, subject, at_ms, _ = alert
    shops = [row[6] for row in rows if row[0] == "pays" and (row[1], row[4]) == (account, subject)]
    of_alert = [row for row in rows if row[1] in (account, *shops) and row[2] <= at_ms]
    return sorted(of_alert, key=lambda row: row[2])[-MANY:]


def _in_words(row: list[Any]) -> str:
    kind, name, time_ms, _, *rest = row
    at = f"at {time_ms:,}"
    if kind == "phone":
        return f"{name}'s phone in ({rest[0]}, {rest[1]}) {at}"
    if kind == "pays":
        one, cents, shop, limit = rest
        bound = "" if limit == 10**9 else f", limit {limit}"
        return f"{name} pays {cents} in {shop} {at} (id {one}{bound})"
    corners = ", ".join(map(str, map(tuple, rest[0][:-1]))) if rest[0] else ""
    return f"shop {name} " + (f"with the corners {corners} {at}" if corners else f"closes {at}")


def left_behind(case: Case, newest: list[str], rows: Rows) -> Mismatch | None:
    """Check that at most half of the payment ids of a long case are still in the state."""
    ids = [row[4] for batch in case["batches"] for row in batch["rows"] if row[0] == "pays"]
    kept = rows.get("ids")
    count = len(kept) if isinstance(kept, list) else len(ids)
    if isinstance(kept, list) and (len(newest) > len(ids) // 3 or count <= len(ids) // 2):
        return None
    sentence = (
        f"Expected Desk.state to forget old payments: {len(newest)} of {len(ids)} came in the last minute before "
    )
    return Mismatch(f"{sentence}the watermark; yours still has {count} of their ids.", newest, kept)
