"""The right answers of `push` by definition, with the rules of the drive's stubs: all records by event time."""

from collections.abc import Sequence
from typing import Any

Record = Sequence[Any]  # topic, key, value, time in ms
Row = list[Any]  # kind, mover, fence, time in ms
REPLACEMENT = "\ufffd"


def events(case: dict[str, Any]) -> list[Row]:
    """Return all events; a change that comes late has the time of its record here, though it takes effect later."""
    arrived = [record for file in case["files"] for record in file if not _is_unreadable(record)]
    counted = [record for record in arrived if not any(record is each for each in late_positions(case))]
    by_time = sorted(counted, key=lambda record: (record[3], ["positions", "fences"].index(record[0])))
    found, seen, before = list[Row](), list[Record](), set[tuple[str, str]]()
    for record in by_time:
        if record[0] == "positions" and any(each[:2] == record[:2] and each[3] == record[3] for each in seen):
            continue  # of positions of the same time, the first one counts
        seen.append(record)
        now = _pairs(seen)
        stay = {pair for pair in before & now if record[0] == "positions" and pair[0] == record[1]}
        kinds = [("OUT", before - now), ("IN", now - before), ("STAY", stay)]
        found += [[kind, *pair, record[3]] for kind, pairs in kinds for pair in sorted(pairs)]
        before = now
    return found


def rejected(case: dict[str, Any]) -> list[Row]:
    """Return one row for each record that cannot be read."""
    records = [record for file in case["files"] for record in file if _is_unreadable(record)]
    return [["REFUSED", (key or "").replace("\xff", REPLACEMENT), topic, at] for topic, key, _, at in records]


def late_positions(case: dict[str, Any]) -> list[Record]:
    """Return the positions at or before the watermark that the files before theirs have set."""
    newest_ms, found = 0, list[Record]()
    for file in case["files"]:
        positions = [record for record in file if record[0] == "positions"]
        found += [record for record in positions if record[3] <= newest_ms - 1000 * case["lateness_s"]]
        newest_ms = max([newest_ms, *(record[3] for record in positions)])
    return found


def last_watermark_ms(case: dict[str, Any]) -> int:
    """Return the watermark after the last file."""
    times = [record[3] for file in case["files"] for record in file if record[0] == "positions"]
    return int(max(times) - 1000 * case["lateness_s"])


def _is_unreadable(record: Record) -> bool:
    topic, key, value, _ = record
    return not key or (topic == "positions" and ";" not in value)


def _pairs(seen: Sequence[Record]) -> set[tuple[str, str]]:
    """Return all (mover, fence) by the last record of each of them."""
    where = {key: float(value.split(";")[0]) for topic, key, value, _ in seen if topic == "positions"}
    fences = {key: value for topic, key, value, _ in seen if topic == "fences"}
    inside = {fence: set(map(float, value.split(";"))) for fence, value in fences.items() if value is not None}
    return {(mover, fence) for mover, lon in where.items() for fence, lons in inside.items() if lon in lons}
