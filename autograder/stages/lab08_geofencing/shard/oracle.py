"""The right answers of `batch_of_shard` by definition, with the rules of the drive's stubs.

Each record gets the time at which it takes effect and the batch that processes it; after each, all pairs are computed
again.
"""

from typing import Any

Record = list[Any]  # topic, key, value, time in ms, offset
Row = list[Any]


def batches(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events without the unreadable records, the rows that wait, and the reached time of each batch."""
    marks = [batch["watermark_ms"] for batch in case["batches"]]
    due = [each for number in range(len(marks)) for each in _due(case, number, marks)]
    events: list[list[Row]] = [[] for _ in marks]
    seen, before = list[Record](), set[tuple[str, str]]()
    for number, at_ms, (topic, key, *rest) in sorted(due, key=_order):
        seen.append([topic, key, *rest])
        now = _pairs(seen)
        stay = {pair for pair in before & now if topic == "positions" and pair[0] == key}
        kinds = [("OUT", before - now), ("IN", now - before), ("STAY", stay)]
        if number < len(marks):
            events[number] += [[kind, *pair, at_ms] for kind, pairs in kinds for pair in sorted(pairs)]
        before = now
    return [
        {"events": events[number], "waiting": _waiting(case, due, number), "done_ms": mark}
        for number, mark in enumerate(marks)
    ]


def refused(case: dict[str, Any]) -> list[list[Row]]:
    """Return the events of the unreadable records of each batch."""
    return [
        [
            ["REFUSED", record[1] or "", record[0], record[3]]
            for record in batch["records"]
            if _is_unreadable(record) and (record[0] == "positions" or case["reports_fences"])
        ]
        for batch in case["batches"]
    ]


def _due(case: dict[str, Any], number: int, marks: list[int]) -> list[tuple[int, int, Record]]:
    """Return (batch that processes it, time at which it takes effect, record) of the records that arrive in a batch."""
    done_ms = marks[number - 1] if number else -1
    found = []
    for record in case["batches"][number]["records"]:
        if _is_unreadable(record) or (record[0] == "positions" and record[3] <= done_ms):
            continue
        at_ms = max(record[3], done_ms)
        reached = [later for later in range(number, len(marks)) if marks[later] >= at_ms]
        found.append((reached[0] if reached else len(marks), at_ms, record))
    return found


def _order(each: tuple[int, int, Record]) -> tuple[int, int, bool, int]:
    number, at_ms, record = each
    return number, at_ms, record[0] == "fences", record[4]


def _waiting(case: dict[str, Any], due: list[tuple[int, int, Record]], number: int) -> list[Row]:
    """Return the fields of the rows that have arrived and are processed in a later batch."""
    arrived = [record for batch in case["batches"][: number + 1] for record in batch["records"]]
    waits = [record for at, _, record in due if at > number and any(record is each for each in arrived)]
    return [_fields(*record) for record in waits]


def _fields(topic: str, key: str, value: str | None, time_ms: int, offset: int) -> Row:
    numbers = None if value is None else [float(each) for each in value.split(";")]
    if topic == "fences":
        return [key, time_ms, numbers, offset]
    return [key, time_ms, *(numbers or []), offset]


def _is_unreadable(record: Record) -> bool:
    topic, key, value, *_ = record
    return not key or value == "?" or (topic == "positions" and value is None)


def _pairs(seen: list[Record]) -> set[tuple[str, str]]:
    """Return all (mover, fence) by the last record of each of them."""
    where = {key: float(value.split(";")[0]) for topic, key, value, *_ in seen if topic == "positions"}
    fences = {key: value for topic, key, value, *_ in seen if topic == "fences"}
    inside = {fence: set(map(float, value.split(";"))) for fence, value in fences.items() if value is not None}
    return {(mover, fence) for mover, lon in where.items() for fence, lons in inside.items() if lon in lons}
