"""The right incidents by definition: a second belongs to an incident of a kind, begins one, or ends one."""

from typing import Any

CALM = {"offered": [100, 100], "lag": [1, 1], "store_ms": 2, "epoch": 1, "term": 1}
COUNTS = {"log": "log_errors", "store": "store_errors", "worker": "retries", "poison": "unreadable", "clock": "ahead"}
KINDS = ("burst", "skew", "log", "store", "slow store", "job", "leader", "worker", "poison", "clock")
RISING = "term", "epoch"


def incidents(case: dict[str, Any]) -> list[list[Any]]:
    """Return [kind, from_s, to_s, back_s] of each incident, by from_s, then by kind."""
    seconds, pause_s, found = range(*case["seconds"]), case.get("pause_s", 6), []
    many, slow = 3 * _usual("offered", case), 10 * _usual("store_ms", case)
    kinds = {at_s: _kinds(at_s, many, slow, case) for at_s in seconds}
    for number, kind in enumerate(KINDS):
        shown = [at_s for at_s in seconds if kind in kinds[at_s]]
        starts = [at_s for at_s in shown if not any(at_s - pause_s - 1 <= other < at_s for other in shown)]
        ends = [at_s for at_s in shown if not any(at_s < other <= at_s + pause_s + 1 for other in shown)]
        found += [(from_s, number, last_s + 1) for from_s, last_s in zip(starts, ends, strict=True)]
    high = 2 * _usual("lag", case)
    return [[KINDS[number], from_s, to_s, _back_s(to_s, high, case)] for from_s, number, to_s in sorted(found)]


def _kinds(at_s: int, many: int, slow: int, case: dict[str, Any]) -> set[str]:
    """Return the faults that a second shows."""
    shown = {kind for kind, field in COUNTS.items() if _value(field, at_s, case)}
    shown |= {"slow store"} if "store" not in shown and _value("store_ms", at_s, case) >= slow else set()
    rises = [at_s > case["seconds"][0] and _value(name, at_s, case) > _value(name, at_s - 1, case) for name in RISING]
    shown |= {"leader"} if rises[0] else {"job"} if rises[1] else set()
    offered = _value("offered", at_s, case)
    if sum(offered) and any(each * len(offered) >= 2 * sum(offered) for each in offered):
        return shown | {"skew"}
    return shown | {"burst"} if sum(offered) >= many else shown


def _back_s(to_s: int, high: int, case: dict[str, Any]) -> int | None:
    at_s, end_s = to_s, case["seconds"][1]
    while at_s < end_s and sum(_value("lag", at_s, case)) > high:
        at_s += 1
    return at_s if at_s < end_s else None


def _usual(name: str, case: dict[str, Any]) -> int:
    """Return the largest value that at most a quarter of the other values are below; 0 if there is none."""
    values = [_value(name, at_s, case) for at_s in range(*case["seconds"])]
    totals = [sum(each) if isinstance(each, list) else each for each in values]
    fit = [each for each in set(totals) if 4 * sum(other < each for other in totals) <= len(totals) - 1]
    return int(max(fit, default=0))


def _value(name: str, at_s: int, case: dict[str, Any]) -> Any:
    """Return a field of a second: that of the last change that holds then, or the calm one."""
    for from_s, to_s, fields in reversed(case["changes"]):
        if from_s <= at_s < to_s and name in fields:
            return fields[name]
    return CALM.get(name, 0)
