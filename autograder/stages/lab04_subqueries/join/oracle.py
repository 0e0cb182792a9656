"""The right joins from their definition: two loops over all rows of both inputs."""

from typing import Any

Row = dict[str, Any]


def in_windows(case: dict[str, Any]) -> list[tuple[Row, Row]]:
    """Return the pairs (left, right) with equal fields in each other's windows, whatever the predicate returns."""
    left_rows, right_rows = ([row for port, row in case["rows"] if port == side] for side in (0, 1))
    return [(left, right) for left in left_rows for right in right_rows if _fits(case, left, right)]


def _fits(case: dict[str, Any], left: Row, right: Row) -> bool:
    gap_ms = right["t"] - left["t"]
    is_near = gap_ms < case["left_ms"] if gap_ms >= 0 else -gap_ms < case["right_ms"]
    pairs = [*case.get("on", ()), *([field, field] for field in case.get("group_by", ()))]
    return is_near and all(left[one] == right[other] for one, other in pairs)


def joined(case: dict[str, Any]) -> list[Row]:
    """Return the joined rows, in any order."""
    return [
        {**(left if case.get("emits_left") else ids_of(left, right)), "t": max(left["t"], right["t"])}
        for left, right in in_windows(case)
        if not case.get("predicate") or left["v"] <= right["v"]
    ]


def ids_of(left: Row, right: Row) -> Row:
    """Return what the drive's emit returns unless it returns the left row."""
    return {"left": left["id"], "right": right["id"]}


def needed_rows(case: dict[str, Any]) -> list[int]:
    """Return after each row, and after the end, how many rows a later one can still join."""
    windows_ms, rows = (case["left_ms"], case["right_ms"]), case["rows"]
    times = [*(row["t"] for _, row in rows), case.get("until_ms", 1 << 62)]
    return [
        sum(now_ms - row["t"] < windows_ms[port] for port, row in rows[: number + 1])
        for number, now_ms in enumerate(times)
    ]


def keys(case: dict[str, Any]) -> list[list[str] | None]:
    """Return the fields of each side that rows must share, or None if there are none."""
    sides = [[*(pair[side] for pair in case.get("on", ())), *case.get("group_by", ())] for side in (0, 1)]
    return [fields or None for fields in sides]
