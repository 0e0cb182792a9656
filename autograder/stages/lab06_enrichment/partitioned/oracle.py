"""The right results: a dict holds the rows, and each account has its partition."""

from typing import Any

from kafka.partitioner.default import murmur2

KINDS = ("recipient", "device", "location")
SIGN = 0x7FFFFFFF


def results(case: dict[str, Any]) -> list[list[Any]]:
    """Return [partition, id, rows, flags] of each transaction."""
    known = {tuple(key): row for *key, row in case["rows"]}
    found = []
    for name, account, *items, _, _ in case["transactions"]:
        rows = [known.get((kind, account, item)) for kind, item in zip(KINDS, items, strict=True)]
        flags = [f"UNKNOWN_{kind.upper()}" for kind, row in zip(KINDS, rows, strict=True) if row is None]
        found.append([_partition(case, account), name, rows, flags])
    return found


def distinct_keys(case: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return every key of the transactions once."""
    pairs = [(each, at) for each in case["transactions"] for at in range(len(KINDS))]
    return sorted({(KINDS[at], each[1], each[2 + at]) for each, at in pairs})


def _partition(case: dict[str, Any], account: str) -> int:
    name = account.encode()
    if case["partition_of"] == "lab03":
        return int((murmur2(name) & SIGN) % case["partitions"])
    return int(7 * name[-1] % case["partitions"])
