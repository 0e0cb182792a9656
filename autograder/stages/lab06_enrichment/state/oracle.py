"""The right answers by definition: every call looks at everything that has ever arrived."""

from collections.abc import Iterable
from typing import Any

Row = list[Any]  # ["t", id, account, recipient, device, location, cents, at_ms] or ["c", kind, account, item, …]
KINDS = ("recipient", "device", "location")


def answers_by_id(arrived: Iterable[Row]) -> dict[str, list[Any]]:
    """Return the rows and flags of every transaction, once everything has arrived."""
    every = list(arrived)
    return {each[1]: _answered(each, every) for each in every if each[0] == "t"}


def answered_before(files: list[list[Row]], until_ms: int) -> list[list[Any]]:
    """Return [id, rows, flags] of the transactions before `until_ms`, the last watermark of a query on Spark."""
    every = [each for file in files for each in file]
    early = [each for each in every if each[0] == "t" and each[7] < until_ms]
    return [[each[1], *_answered(each, every)] for each in early]


def answered_ids(calls: list[dict[str, Any]]) -> list[list[str]]:
    """Return, for each call, the ids that it answers, by (at_ms, id)."""
    done = set[str]()
    found = []
    for at, call in enumerate(calls):
        so_far = [each for earlier in calls[: at + 1] for each in earlier["arrived"] if each[0] == "t"]
        first = {each[1]: each[7] for each in reversed(so_far)}
        due = {(at_ms, name) for name, at_ms in first.items() if at_ms <= call["watermark_ms"] and name not in done}
        found.append([name for _, name in sorted(due)])
        done |= {name for _, name in due}
    return found


def kept_after(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each call, the versions that the state keeps and the ids of waiting transactions."""
    found = []
    for at, call in enumerate(calls):
        arrived = [each for earlier in calls[: at + 1] for each in earlier["arrived"]]
        keys = {tuple(each[1:4]) for each in arrived if each[0] == "c"}
        versions = [[list(key), _needed(key, arrived, call["watermark_ms"])] for key in keys]
        waiting = {each[1] for each in arrived if each[0] == "t" and each[7] > call["watermark_ms"]}
        kept = sorted((each for each in versions if each[1]), key=str)
        found.append({"versions": kept, "waiting": sorted(waiting)})
    return found


def _answered(transaction: Row, arrived: list[Row]) -> list[Any]:
    keys = [(kind, transaction[2], item) for kind, item in zip(KINDS, transaction[3:6], strict=True)]
    rows = [_row_at(key, arrived, transaction[7]) for key in keys]
    return [rows, [f"UNKNOWN_{kind.upper()}" for kind, row in zip(KINDS, rows, strict=True) if row is None]]


def _versions(key: tuple[str, ...], arrived: list[Row]) -> list[tuple[int, int, str | None]]:
    own = {(each[4], each[5]): each[6] for each in arrived if each[0] == "c" and tuple(each[1:4]) == key}
    return [(at_ms, seq, row) for (at_ms, seq), row in sorted(own.items())]


def _row_at(key: tuple[str, ...], arrived: list[Row], at_ms: int) -> str | None:
    rows = [row for when, _, row in _versions(key, arrived) if when <= at_ms]
    return rows[-1] if rows else None


def _needed(key: tuple[str, ...], arrived: list[Row], watermark_ms: int) -> list[Row]:
    versions: list[Row] = [list(each) for each in _versions(key, arrived)]
    until = [each for each in versions if each[0] <= watermark_ms]
    in_force = [each for each in until[-1:] if each[2] is not None]
    return sorted(in_force + versions[len(until) :], key=str)
