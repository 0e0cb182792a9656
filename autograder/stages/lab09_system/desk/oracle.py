"""The alerts of a desk by definition: for each payment all rows before it, for each window all payments.

Shops are convex, and their corners run counterclockwise.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

Row = list[Any]
WINDOW_MS, ADVANCE_MS, MINUTE_MS = 10_000, 5_000, 60_000
KINDS = ["shop", "phone", "pays"]  # of one time, in this order


def alerts(case: dict[str, Any]) -> list[list[Row]]:
    """Return the alerts of each batch: those whose times its watermark is the first to reach."""
    rows = sorted((row for batch in case["batches"] for row in batch["rows"]), key=_order)
    found, reached_ms, answers = _away(rows) + _spent(rows), -1, []
    for batch in case["batches"]:
        answers.append([alert for alert in found if reached_ms < alert[3] <= batch["watermark_ms"]])
        reached_ms = batch["watermark_ms"]
    return answers


def newest_ids(case: dict[str, Any]) -> list[str]:
    """Return the ids of the payments of the last minute before the last watermark."""
    last_ms = case["batches"][-1]["watermark_ms"]
    rows = [row for batch in case["batches"] for row in batch["rows"] if row[0] == "pays"]
    return [row[4] for row in rows if row[2] > last_ms - MINUTE_MS]


def _order(row: Row) -> tuple[int, int, int]:
    return row[2], KINDS.index(row[0]), row[3]


def _counted(rows: list[Row]) -> list[Row]:
    """Return the payments without those that were sent again."""
    found = list[Row]()
    for row in (row for row in rows if row[0] == "pays"):
        same = (each for each in found if (each[1], each[4]) == (row[1], row[4]))
        if all(row[2] - each[2] > MINUTE_MS for each in same):
            found.append(row)
    return found


def _away(rows: list[Row]) -> list[Row]:
    found = []
    for row in _counted(rows):
        before = [each for each in rows if _order(each) < _order(row)]
        shapes = [each[4] for each in before if each[0] == "shop" and each[1] == row[6]]
        places = [each for each in before if each[0] == "phone" and each[1] == row[1]]
        newest_ms = max((each[2] for each in places), default=-MINUTE_MS * 9)
        place = next((each[4:6] for each in places if each[2] == newest_ms), None)  # of one time, the lowest offset
        if place and shapes and shapes[-1] and row[2] - newest_ms <= MINUTE_MS and not _is_inside(shapes[-1], *place):
            found.append(["AWAY", row[1], row[4], row[2], row[5]])
    return found


def _spent(rows: list[Row]) -> list[Row]:
    found, paid = [], _counted(rows)
    begins = {ADVANCE_MS * (row[2] // ADVANCE_MS - step) for row in paid for step in (0, 1)}
    for account in {row[1] for row in paid}:
        for begin in begins:
            window = [row for row in paid if row[1] == account and begin <= row[2] < begin + WINDOW_MS]
            if not window:
                continue
            cents, limit_cents, end = sum(row[5] for row in window), window[-1][7], begin + WINDOW_MS
            if limit_cents is None or cents > limit_cents:
                kind = "UNDECIDED" if limit_cents is None else "SPENT"
                found.append([kind, account, str(end), end - 1, cents])
    return found


def _is_inside(ring: list[list[float]], lon: float, lat: float) -> bool:
    """Return whether a place is on the left of each edge of a convex ring, or on an edge."""
    corners = [(Fraction(x), Fraction(y)) for x, y in ring]
    return all(
        (bx - ax) * (Fraction(lat) - ay) >= (by - ay) * (Fraction(lon) - ax) for (ax, ay), (bx, by) in pairwise(corners)
    )
