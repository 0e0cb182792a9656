"""The right windows: each transaction is put into every window that contains its time, by trying all of them."""

from typing import Any

KINDS = ("recipient", "device", "location")
LENGTH_MS, STEP_MS = 10_000, 5_000


def on_time(case: dict[str, Any]) -> tuple[list[list[Any]], list[int]]:
    """Return the transactions that count, each once, and how many rows of each file are late.

    A file's watermark is the newest time of all files before it minus `watermark_s`.
    """
    counted: dict[str, list[Any]] = {}
    late: list[int] = []
    newest_ms: int | None = None
    for file in case["files"]:
        watermark_ms = None if newest_ms is None else newest_ms - 1000 * case["watermark_s"]
        in_time = [row for row in file if watermark_ms is None or row[3] > watermark_ms]
        for row in in_time:
            counted.setdefault(row[0], row)
        late.append(len(file) - len(in_time))
        newest_ms = max([row[3] for row in file] + ([] if newest_ms is None else [newest_ms]), default=None)
    return list(counted.values()), late


def windows(case: dict[str, Any]) -> list[list[Any]]:
    """Return [start in s, end in s, account, cents, transactions, [[id, flags], …]] of each window and account."""
    rows, _ = on_time(case)
    first_ms, last_ms = min(row[3] for row in rows), max(row[3] for row in rows)
    begin_ms = (first_ms // STEP_MS - 2) * STEP_MS
    found = []
    for start_ms in range(begin_ms, last_ms + 1, STEP_MS):
        inside = [row for row in rows if start_ms <= row[3] < start_ms + LENGTH_MS]
        for account in sorted({row[1] for row in inside}):
            own = [row for row in inside if row[1] == account]
            flagged = sorted([row[0], row[4]] for row in own if row[4])
            times = [start_ms / 1000, (start_ms + LENGTH_MS) / 1000]
            found.append([*times, account, sum(row[2] for row in own), len(own), flagged])
    return found


def windows_of_payments(case: dict[str, Any]) -> list[list[Any]]:
    """Return the windows of payments that are not enriched yet; a key that is not among the known rows has a flag."""
    known = {(kind, account, item) for kind, account, item, _ in case["rows"]}
    enriched = []
    for name, account, *items, cents, at_ms in case["transactions"]:
        unknown = [kind for kind, item in zip(KINDS, items, strict=True) if (kind, account, item) not in known]
        enriched.append([name, account, cents, at_ms, [f"UNKNOWN_{kind.upper()}" for kind in unknown]])
    return windows({"files": [enriched], "watermark_s": 0})


def keys_asked_for(case: dict[str, Any]) -> list[list[str]]:
    """Return the keys that the killed job asks for: each once for every batch that has it, in each run of the batch.

    The first batch has all payments and runs twice, since the job is killed before it is committed. The second one has
    the payment that closes all windows.
    """
    first = {
        (kind, each[1], item) for each in case["transactions"] for kind, item in zip(KINDS, each[2:5], strict=True)
    }
    return sorted(map(list, [*first, *first, *((kind, "closing", "") for kind in KINDS)]))


def calls_without_cache(case: dict[str, Any]) -> int:
    """Return how many keys the job asks for with one call for each key of each payment."""
    return len(KINDS) * (2 * len(case["transactions"]) + 1)


def state_rows_without_watermark(case: dict[str, Any]) -> int:
    """Return how many rows a query keeps that never drops any: all ids, and all windows of each account."""
    return len(on_time(case)[0]) + len(windows(case))


def is_valid(case: dict[str, Any]) -> bool:
    """Return whether the watermark is valid."""
    return bool(case["watermark_s"] >= 0)
