"""The right answers of `Watch` and `in_order` by definition: after each record, all pairs are computed again."""

from collections.abc import Sequence
from typing import Any

Pair = tuple[str, str]  # mover, fence
Call = Sequence[Any]  # "move", mover, time, longitude; or "change", fence, time, longitudes or None
Row = list[Any]  # "position" or "change", name, time, offset

# Watch


def events(calls: Sequence[Call]) -> list[list[Row]]:
    """Return the events [kind, mover, fence, time] of each call."""
    found, before, counted = [], set[Pair](), list[Call]()
    for call in calls:
        if _is_old(call, counted):
            found.append(list[Row]())
            continue
        counted.append(call)
        now = _pairs(counted)
        kinds = [("EXIT", before - now), ("ENTER", now - before), ("INSIDE", _still(call, before & now))]
        found.append([[kind, *pair, call[2]] for kind, pairs in kinds for pair in sorted(pairs)])
        before = now
    return found


def inside_at_the_end(calls: Sequence[Call]) -> list[list[str]]:
    """Return [mover, fence] of the movers inside after all calls, as a pull would find them."""
    counted = list[Call]()
    for call in calls:
        counted += [] if _is_old(call, counted) else [call]
    return [list(pair) for pair in sorted(_pairs(counted))]


def _is_old(call: Call, counted: Sequence[Call]) -> bool:
    return call[0] == "move" and any(each[:2] == call[:2] and each[2] >= call[2] for each in counted)


def _pairs(counted: Sequence[Call]) -> set[Pair]:
    """Return all (mover, fence) by the last call of each of them."""
    where = {name: lon for kind, name, _, lon in counted if kind == "move"}
    fences = {name: longitudes for kind, name, _, longitudes in counted if kind == "change"}
    return {(mover, fence) for mover, lon in where.items() for fence, those in fences.items() if lon in (those or ())}


def _still(call: Call, pairs: set[Pair]) -> set[Pair]:
    return {pair for pair in pairs if call[0] == "move" and pair[0] == call[1]}


# in_order


def in_order(case: dict[str, Any]) -> list[dict[str, list[Row]]]:
    """Return the rows that are ready, wait and are late after each call of a case."""
    waiting, done_ms, found = case["waiting"], case["done_ms"], []
    for call in case["calls"]:
        three = _divided(waiting + call["arrived"], done_ms, call["watermark_ms"])
        found.append(three)
        waiting, done_ms = three["waiting"], call["watermark_ms"]
    return found


def _divided(rows: list[Row], done_ms: int, watermark_ms: int) -> dict[str, list[Row]]:
    three: dict[str, list[Row]] = {"ready": [], "waiting": [], "late": []}
    for kind, name, time_ms, offset in rows:
        late = time_ms <= done_ms
        if late and kind == "position":
            three["late"].append([kind, name, time_ms, offset])
        elif time_ms <= watermark_ms:
            three["ready"].append([kind, name, done_ms if late else time_ms, offset])
        else:
            three["waiting"].append([kind, name, time_ms, offset])
    three["ready"].sort(key=lambda row: (row[2], ["change", "position"].index(row[0]), row[3]))
    return three


def named(case: dict[str, Any]) -> list[Row]:
    """Return [kind, name, offset] of every row of a case."""
    rows = case["waiting"] + [row for call in case["calls"] for row in call["arrived"]]
    return [[kind, name, offset] for kind, name, _, offset in rows]
