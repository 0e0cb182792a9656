"""The right answers of `GuardedStore` and `repair`, looked up in the whole history at each step."""

import math
from typing import Any

NO_ANSWER = "<NoAnswer>"  # as a drive writes it
Step = Any  # a state, or {"answer": …, "asked": …}


def is_valid(case: dict[str, Any]) -> bool:
    """Return whether the arguments of a GuardedStore are valid."""
    return case["trips"] >= 1 and 0 <= float(case["rest_s"]) < math.inf


def steps(case: dict[str, Any]) -> list[Step]:
    """Return the state, or the answer and the keys of the call, at each step."""
    calls: list[tuple[float, str]] = []  # when each call to the store came back, and how
    kept: list[tuple[float, str, str | None]] = []  # what a cache got: when, key, row
    found: list[Step] = []
    for now_s, keys, *fate in case["script"]:
        state = _state(case, calls, now_s)
        if keys == "state":
            found.append(state)
            continue
        known = {key: row for at_s, key, row in kept if now_s < at_s + case.get("ttl_s", 0)}
        missing = sorted({key for key in keys if key not in known})
        asked = [missing] if missing and state != "open" else []
        calls += [(now_s + sum(fate[1:]), fate[0]) for _ in asked]
        new = {key: _answer(case, key, fate[0], state) for key in missing}
        kept += [(now_s, key, row) for key, row in new.items() if row != NO_ANSWER]
        is_bug = asked and fate[0] == "has a bug"
        answer = "raises RuntimeError" if is_bug else {key: known.get(key, new.get(key)) for key in keys}
        found.append({"answer": answer, "asked": asked})
    return found


def _state(case: dict[str, Any], calls: list[tuple[float, str]], now_s: float) -> str:
    counted = [call for call in calls if call[1] != "has a bug"]
    last = counted[-case["trips"] :]
    if len(last) < case["trips"] or any(fate == "answers" for _, fate in last):
        return "closed"
    return "half-open" if now_s - last[-1][0] >= case["rest_s"] else "open"


def _answer(case: dict[str, Any], key: str, fate: str, state: str) -> str | None:
    return NO_ANSWER if state == "open" or fate == "fails" else case["rows"].get(key)


def decided(case: dict[str, Any]) -> list[list[Any]] | None:
    """Return the decisions; None if `most` is invalid."""
    if case["most"] < 1:
        return None
    rows = [_decision(case, row) for row in _chosen(case)]
    return [row for row in rows if row[0] != NO_ANSWER]


def asked(case: dict[str, Any]) -> list[list[str]]:
    """Return the accounts of each call."""
    accounts = sorted({row[1] for row in _chosen(case)})
    return [accounts] if accounts else []


def _chosen(case: dict[str, Any]) -> list[list[Any]]:
    """Compare each row with the whole log."""
    log, found = case["log"], []
    for at, row in enumerate(log):
        same = [each[0] for each in log if each[1:3] == row[1:3]]
        is_first = all(each[:3] != row[:3] for each in log[:at])
        if row[0] == "UNDECIDED" and is_first and not {"SPENT", "CLEARED"} & set(same):
            found.append(row)
    return found[: case["most"]]


def _decision(case: dict[str, Any], row: list[Any]) -> list[Any]:
    if row[1] in case["silent"]:
        return [NO_ANSWER, *row[1:]]
    limit = int(case["limits"].get(row[1]) or "0")
    return ["CLEARED" if limit >= row[4] else "SPENT", *row[1:]]
