"""What a day must leave in the log, by definition: every payment and window looks at all records again.

It knows the case alone: the seed gives all records, and where each one is in the log.
"""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any
from zlib import crc32

from streamlab.lab09_system.city import City, Part
from streamlab.lab09_system.words import Record

AHEAD_MS, FRESH_MS, REPEAT_MS, SIZE_MS, ADVANCE_MS = 60_000, 60_000, 60_000, 10_000, 5_000
SURE = 1e-11  # a float this far from 0 has the sign of the exact product
KINDS = {"fences": 0, "positions": 1, "payments": 2}
Row = tuple[tuple[int, int, int], str, dict[str, Any]]  # order, key, value


def batches(case: dict[str, Any]) -> dict[str, list[Any]]:
    """Return what the writer of the job before and after the failure must get: [number, rows]."""
    made = [[number, [_row(each) for each in file]] for number, file in enumerate(case["files"])]
    return {"first": made[: case["fails_at"] + 1], "second": made[case["fails_at"] :]}


def _row(account: str) -> list[Any]:
    return ["DEAD" if account == "dead" else "AWAY", account, "p", 5, len(account), account]


def faults(case: dict[str, Any]) -> list[str]:
    """Return the parts of the day after which the lag must be zero."""
    return [name for name, _ in case["parts"]]


def committed(case: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return the alerts [kind, account, subject, cents] after all decisions, and the dead letters of a day."""
    city = City(case["day"])
    parts = [Part(*sources) for _, sources in case["parts"]]
    records = [*city.fences(), *(each for part in parts for second in city.records(part) for each in second)]
    records += city.closing(parts[-1].end_s)
    rows, dead = list[Row](), list[list[Any]]()
    for record in records:
        reason = _reason(record)
        if reason:
            content = crc32((record.key or b"") + b"|" + (record.value or b""))
            dead.append([reason, record.topic, record.partition, record.offset, content])
        else:
            order = (record.time_ms, KINDS[record.topic], record.offset)
            rows.append((order, (record.key or b"").decode(), json.loads(record.value or b"")))
    return {"alerts": [list(each) for each in _alerts(sorted(rows, key=lambda row: row[0]), city.limits)], "dead": dead}


def _reason(record: Record) -> str | None:
    try:
        told = json.loads((record.value or b"null").decode())
        key = (record.key or b"").decode()
        right = record.topic == "fences" or told["mover" if record.topic == "positions" else "account"] == key
        right &= record.topic != "payments" or type(told["cents"]) is int
    except (ValueError, TypeError, KeyError, RecursionError):
        right = False
    if not right:
        return "unreadable"
    return "ahead" if record.time_ms > record.received_ms + AHEAD_MS and record.topic != "fences" else None


def _alerts(rows: list[Row], limits: dict[str, int]) -> Iterator[tuple[str, str, str, int]]:
    shops = {key: value for order, key, value in rows if order[1] == 0}
    places, paid = _by_key(rows, 1), _by_key(rows, 2)
    for account, payments in paid.items():
        counted = list(_counted(payments))
        for (time_ms, _, _), value in counted:
            seen = [each for each in places.get(account, []) if each[0] <= (time_ms, 1, 10**9)]
            newest_ms = max((each[0][0] for each in seen), default=-FRESH_MS * 10)
            place: Any = next((each[1] for each in seen if each[0][0] == newest_ms), None)  # of equal times the first
            is_fresh = place is not None and time_ms - newest_ms <= FRESH_MS
            if is_fresh and value["shop"] in shops and not _inside(shops[value["shop"]], place["lon"], place["lat"]):
                yield "AWAY", account, value["id"], value["cents"]
        for start in sorted(
            {order[0] // ADVANCE_MS * ADVANCE_MS - back for order, _ in counted for back in (0, 5_000)}
        ):
            cents = sum(value["cents"] for order, value in counted if start <= order[0] < start + SIZE_MS)
            if cents > limits.get(account, 0):
                yield "SPENT", account, str(start + SIZE_MS), cents


def _by_key(rows: list[Row], kind: int) -> dict[str, list[tuple[tuple[int, int, int], dict[str, Any]]]]:
    found: dict[str, list[Any]] = {}
    for order, key, value in rows:
        if order[1] == kind:
            found.setdefault(key, []).append((order, value))
    return found


def _counted(payments: Iterable[tuple[Any, dict[str, Any]]]) -> Iterator[tuple[Any, dict[str, Any]]]:
    first_ms: dict[str, int] = {}
    for order, value in payments:
        if value["id"] not in first_ms or order[0] - first_ms[value["id"]] > REPEAT_MS:
            first_ms[value["id"]] = order[0]
            yield order, value


def _inside(shop: dict[str, Any], lon: float, lat: float) -> bool:
    parts = shop["coordinates"] if shop["type"] == "MultiPolygon" else [shop["coordinates"]]
    return any(
        _side(shell, lon, lat) >= 0 and all(_side(hole, lon, lat) <= 0 for hole in holes) for shell, *holes in parts
    )


def _side(ring: list[list[float]], lon: float, lat: float) -> int:
    """Return 1 inside, 0 on the ring, -1 outside: the parity of the edges to the east of the place."""
    odd = False
    for (ax, ay), (bx, by) in pairwise(ring):
        if max(ay, by) < lat or min(ay, by) > lat:
            continue
        turn: Any = (bx - ax) * (lat - ay) - (by - ay) * (lon - ax)
        if abs(turn) < SURE:
            ax, ay, bx, by, x, y = map(Fraction, (ax, ay, bx, by, lon, lat))  # type: ignore[assignment]
            turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if turn == 0 and min(ax, bx) <= x <= max(ax, bx):
                return 0
        if (ay > lat) != (by > lat) and (turn > 0) == (by > ay):
            odd = not odd
    return 1 if odd else -1
