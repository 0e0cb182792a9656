"""The right answers about topologies, without splitting texts: patterns, and one pass over all files."""

import re
from typing import Any

LIST = re.compile(r"\s*(?:[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*)?\s*", re.ASCII)


def numbers(text: str) -> list[int] | None:
    """Return the numbers in a Linux list, or None if the text is not such a list."""
    if not LIST.fullmatch(text):
        return None
    found: set[int] = set()
    for match in re.finditer(r"([0-9]+)(?:-([0-9]+))?", text):
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            return None
        found |= set(range(first, last + 1))
    return sorted(found)


def cores(case: dict[str, Any]) -> dict[str, list[int]]:
    """Return the cores of each node that may be used."""
    files, allowed = case["files"], case["allowed"]
    own = {str(node): numbers(files[f"node{node}/cpulist"]) or [] for node in nodes(case)}
    return {node: [core for core in listed if allowed is None or core in allowed] for node, listed in own.items()}


def distance(case: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return the distances between all nodes, by row."""
    files = case["files"]
    rows = {node: re.findall(r"[0-9]+", files[f"node{node}/distance"]) for node in nodes(case)}
    return {str(node): {str(to): int(rows[node][at]) for at, to in enumerate(rows)} for node in rows}


def nodes(case: dict[str, Any]) -> list[int]:
    """Return the online nodes."""
    return numbers(case["files"]["online"]) or []
