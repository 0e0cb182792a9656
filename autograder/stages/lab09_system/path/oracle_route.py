"""What becomes of a record of the cases, by the form of its text instead of reading it."""

import re
from typing import Any

PAYMENT = re.compile(r'\{"account": "a", "id": "([^"]+)", "cents": ([1-9]\d*), "shop": "(\w+)"\}')
PAIR = re.compile(r"-?[\d.]+;-?[\d.]+")
POSITION = re.compile(r'\{"mover": "a", "lon": ([\d.]+), "lat": (\d+)\}')
RING = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0]]


def answer(case: dict[str, Any]) -> list[Any]:
    """Return ["Dead", reason], or the kind and the fields of the row."""
    topic, _, offset, key, value, time_ms, received_ms = case["record"]
    if key in ("bug", "bug type", "stop"):
        return ["KeyboardInterrupt"] if key == "stop" else ["Dead", "defect"]
    row = None if _is_damaged(key) or _is_damaged(value) else _row(case, topic, key, value, time_ms, offset)
    if row is None:
        return ["Dead", "unreadable"]
    early_ms = 0 if topic == "fences" else time_ms - received_ms
    return row if early_ms <= case["ahead_ms"] else ["Dead", "ahead"]


def _row(case: dict[str, Any], topic: str, key: Any, value: Any, time_ms: int, offset: int) -> list[Any] | None:
    if not key:
        return None
    if topic == "payments" and (found := PAYMENT.fullmatch(value or "")):
        name = found[1].encode("latin-1").decode()
        return ["Payment", "a", time_ms, name, int(found[2]), found[3], offset, None] if key == "a" else None
    if topic == "positions" and case["reader"] == "stub" and PAIR.fullmatch(value or ""):
        return ["Position", key, time_ms, *map(float, value.split(";")), offset]
    if topic == "positions" and (found := POSITION.fullmatch(value or "")) and key == "a":
        return ["Position", key, time_ms, float(found[1]), float(found[2]), offset]
    if topic == "fences" and (value is None or value != "{}"):
        shape = value if value is None or case["reader"] == "stub" else [[RING]]
        return ["Change", key, time_ms, shape, offset]
    return None


def _is_damaged(text: str | None) -> bool:
    """Return whether the bytes are not UTF-8: the cases have no such bytes but an umlaut that are valid."""
    return text is not None and any(ord(letter) > 127 for letter in text.replace("\xc3\xa4", ""))
