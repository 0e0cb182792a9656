"""The input of the throughput check of `Aggregate`: two groups, and sixty windows for each row."""

import json
from bisect import bisect_left
from itertools import accumulate
from typing import Any

from autograder.checks import Mismatch, Rows, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.seeds import random_for

ROWS, SPAN_MS, SIZE_MS, ADVANCE_MS = 40_000, 60_000, 60_000, 1000
NAMES = {"n": "COUNT", "sum": "SUM", "max": "MAX", "first": "FIRST_VAL", "last": "LAST_VAL"}


def workload(seed: str) -> tuple[bytes, int]:
    """Return the arguments and the rows as JSON, and how many rows there are."""
    rng = random_for(seed, "throughput")
    functions = {result: [name, "v"] for result, name in NAMES.items()}
    settings = {"group_by": ["ip"], "window": ["time", SIZE_MS, ADVANCE_MS], "functions": functions}
    times = sorted(rng.randrange(SPAN_MS) for _ in range(ROWS))
    rows = [{"t": t, "ip": rng.choice("ab"), "v": rng.randint(-1000, 1000)} for t in times]
    return json.dumps([settings, rows]).encode("ascii"), ROWS


def results(content: bytes) -> list[dict[str, Any]]:
    """Return the result of each window of each group.

    Bisection finds the rows of a window, and a sum is the difference of two running totals.
    """
    _, rows = json.loads(content)
    found: list[dict[str, Any]] = []
    for ip in sorted({row["ip"] for row in rows}):
        own = [row for row in rows if row["ip"] == ip]
        times, values = [row["t"] for row in own], [row["v"] for row in own]
        so_far = [0, *accumulate(values)]
        for start in range(ADVANCE_MS - SIZE_MS, times[-1] + 1, ADVANCE_MS):
            a, b = bisect_left(times, start), bisect_left(times, start + SIZE_MS)
            if a < b:
                ends = {"first": values[a], "last": values[b - 1], "t": start + SIZE_MS - 1}
                found.append({"ip": ip, "n": b - a, "sum": so_far[b] - so_far[a], "max": max(values[a:b]), **ends})
    return found


def same_results(content: bytes, rows: Rows) -> Mismatch | None:
    """Compare all results of a turn, in any order."""
    expected, got = results(content), rows.get("results")
    if not isinstance(got, list) or len(got) != len(expected):
        count = len(got) if isinstance(got, list) else shown(got)
        return same_value(len(expected), count, what="the number of result rows")
    return same_items(expected, got, what="the result rows")
