"""The right rows of `alerts` by definition, with the rules of the drive's stubs: all records by event time."""

from collections import Counter
from typing import Any

Record = list[Any]
Row = list[Any]  # kind, account, subject, time in ms, cents
REPLACEMENT = "\ufffd"


def noted(case: dict[str, Any]) -> list[Row]:
    """Return a row for each payment that can be read: what is known about it, and the account's limit."""
    records, found = [record for record in _all(case) if _reason(case, record) is None], []
    for record in records:
        if record[0] == "payments":
            before = [each for each in records if each[5] <= record[5] and each is not record]
            places = [each for each in before if each[0] == "positions" and each[3] == record[3]]
            place = float(max(places, key=lambda each: each[5])[4]) if places else None
            shops = {each[3]: each[4] for each in sorted(before, key=lambda each: each[5]) if each[0] == "fences"}
            is_open = sorted(shop for shop, shape in shops.items() if shape is not None)
            subject = f"{record[4].split(';')[0]} {place} {' '.join(is_open)}"
            found.append(["NOTED", record[3], subject, record[5], _limit(case, record[3])])
    return found


def dead(case: dict[str, Any]) -> list[Row]:
    """Return the row of each dead letter, with its record."""
    letters = [(record, _reason(case, record)) for record in _all(case)]
    return [
        ["DEAD", (record[3] or "").replace("\xff", REPLACEMENT), reason, record[5], 0, record]
        for record, reason in letters
        if reason
    ]


def asked(case: dict[str, Any]) -> dict[str, int]:
    """Return for each account the number of files with a payment of it."""
    pairs = {
        (number, record[3])
        for number, file in enumerate(case["files"])
        for record in file
        if record[0] == "payments" and _reason(case, record) is None
    }
    return dict(Counter(account for _, account in pairs))


def is_valid(case: dict[str, Any]) -> bool:
    """Return whether the call has valid arguments."""
    return case["shards"] > 0 and str(case["lateness_s"]) in ("0", "0.5")


def _all(case: dict[str, Any]) -> list[Record]:
    return [record for file in case["files"] for record in file]


def _reason(case: dict[str, Any], record: Record) -> str | None:
    topic, _, _, key, value, time_ms, received_ms = record
    if topic != "fences" and time_ms - received_ms > 2 * case["ahead_ms"]:
        return "early"
    is_read = key and "\xff" not in key + (value or "") and value != "north"
    return None if is_read else "smudged"


def _limit(case: dict[str, Any], account: str) -> int:
    return -1 if account[0] == "n" else int(case["limits"].get(account, 0))
