"""Rows of many different keys, for the drive and for the check that counts them in each bucket."""

from typing import Any


def rows_of_keys(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row for each key; all its fields have the same value.

    kind: ["prefix", text before a number], ["step", distance between numbers], or ["letter", the first letter]
    """
    kind, first = case["kind"]
    return [dict.fromkeys(case["fields"], _key(kind, first, number)) for number in range(case["keys"])]


def _key(kind: str, first: Any, number: int) -> str | float:
    if kind == "step":
        return round(first * number, 6)
    return f"{first}{number}" if kind == "prefix" else chr(ord(first) + number)
