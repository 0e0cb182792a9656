"""The right rows from the definition: two loops over all rows in time, and the watermark after each file."""

from typing import Any

Row = list[Any]


def watermarks_ms(case: dict[str, Any]) -> list[int]:
    """Return the watermark after each file: the lesser of the newest payment and the newest refund, minus the delay."""
    found, payments_ms, refunds_ms = [], [0], [0]
    for file in case["files"]:
        payments_ms += [row[3] for row in file if row[4] is None]
        refunds_ms += [row[3] for row in file if row[4] is not None]
        found.append(max(0, min(max(payments_ms), max(refunds_ms)) - 1000 * case["watermark_s"]))
    return found


def joined(case: dict[str, Any]) -> list[list[Row]]:
    """Return for each file the rows that come out after it: pairs, and payments whose time is over without a refund."""
    watermarks = watermarks_ms(case)
    before = [0, *watermarks]
    rows = [(at, row) for at, file in enumerate(case["files"]) for row in file if row[3] > before[at]]
    payments, refunds = ([(at, row) for at, row in rows if (row[4] is None) is paid] for paid in (True, False))
    found: list[list[Row]] = [[] for _ in case["files"]]
    for at, payment in payments:
        own = [(other, row) for other, row in refunds if _fits(case, payment, row)]
        for other, refund in own:
            found[max(at, other)].append([*_out(payment), refund[0], refund[2], refund[3] / 1000])
        over = [file for file, now_ms in enumerate(watermarks) if file >= at and now_ms > _end_ms(case, payment)]
        if over and not own:
            found[over[0]].append([*_out(payment), None, None, None])
    return found


def pairs(case: dict[str, Any]) -> list[list[str]]:
    """Return the ids of each payment and its refund."""
    return [[row[0], row[4]] for file in joined(case) for row in file if row[4] is not None]


def is_valid(case: dict[str, Any]) -> bool:
    """Return whether the time bound and the watermark are valid."""
    return bool(case["within_s"] >= 1 and case["watermark_s"] >= 0)


def _fits(case: dict[str, Any], payment: Row, refund: Row) -> bool:
    return bool(refund[4] == payment[0] and payment[3] <= refund[3] < _end_ms(case, payment))


def _end_ms(case: dict[str, Any], payment: Row) -> int:
    return int(payment[3] + 1000 * case["within_s"])


def _out(payment: Row) -> Row:
    name, account, cents, at_ms, _ = payment
    return [name, account, cents, at_ms / 1000]
