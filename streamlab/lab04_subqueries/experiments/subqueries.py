"""Lab 4's measurements of operators and balancers: processor time per row, and speed-up in counted rows.

`KeepsRows` is what panes are compared with.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from streamlab.lab04_subqueries.engine.operators import Operator
from streamlab.lab04_subqueries.engine.rows import END_MS, Row
from streamlab.lab04_subqueries.engine.windows import TimeWindow
from streamlab.lab04_subqueries.page_visits import visits

BUCKETS = 64
BucketOf = Callable[..., int]
Starts = Callable[[TimeWindow, int], list[int]]
ON_ROWS: Mapping[str, Callable[[list[Any]], Any]]
ON_ROWS = {"COUNT": len, "SUM": sum, "MAX": max, "FIRST_VAL": lambda v: v[0], "LAST_VAL": lambda v: v[-1]}


class KeepsRows(Operator):
    """An Aggregate without panes: each window keeps its rows, and looks at all of them when it closes."""

    def __init__(
        self, starts: Starts, group_by: Sequence[str], window: TimeWindow, functions: Mapping[str, tuple[str, str]]
    ) -> None:
        super().__init__()
        self.starts, self.group_by, self.window, self.functions = starts, group_by, window, functions

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Add the row to each window that holds it."""
        group = tuple(row[field] for field in self.group_by)
        for start in self.starts(self.window, row["t"]):
            self.state.setdefault(start + self.window.size, {}).setdefault(group, []).append(row)
        return []

    def on_time(self, now_ms: int) -> list[Row]:
        """Return the results of the windows that have ended."""
        closed: list[Row] = []
        while self.state and (end := next(iter(self.state))) <= now_ms:
            closed += [self._result(group, rows, end - 1) for group, rows in self.state.pop(end).items()]
        return closed

    def _result(self, group: tuple[Any, ...], rows: list[Row], time_ms: int) -> Row:
        values = {out: ON_ROWS[name]([row[field] for row in rows]) for out, (name, field) in self.functions.items()}
        return {**dict(zip(self.group_by, group, strict=True)), **values, "t": time_ms}


def panes_and_rows(
    aggregate: Callable[..., Operator], starts: Starts, windows_a_row: Sequence[int]
) -> list[tuple[int, float, float, float]]:
    """Compare the learner's `aggregate`, which has panes, with `KeepsRows`, on 4,000 visits in windows of 30 s.

    Returns (windows that hold a row, µs per row of KeepsRows, µs per row of `aggregate`, their ratio) for each number.
    """
    functions = {"count": ("COUNT", "ip"), "first": ("FIRST_VAL", "t"), "longest": ("MAX", "duration_s")}
    rows, compared = visits("panes", 4000, rate_per_s=100, ips=3), []
    for number in windows_a_row:
        window = TimeWindow(30_000, 30_000 // number)
        kept_us = us_per_row(partial(KeepsRows, starts, ["ip"], window, functions), rows)
        panes_us = us_per_row(partial(aggregate, ["ip"], window, functions), rows)
        compared.append((number, kept_us, panes_us, kept_us / panes_us))
    return compared


def us_per_row(make: Callable[[], Operator], rows: Sequence[Row], runs: int = 3) -> float:
    """Return the microseconds of processor time that an operator takes per row, the lowest of `runs` runs."""
    return min(_us_per_row(make(), rows) for _ in range(runs))


def _us_per_row(operator: Operator, rows: Sequence[Row]) -> float:
    began_s = time.process_time()
    for row in rows:
        operator.on_time(row["t"])
        operator.on_row(row)
    operator.on_time(END_MS)
    return (time.process_time() - began_s) / len(rows) * 1e6


def speed_ups(ips: Sequence[str], instances: int, bucket_of: BucketOf, rebalance: Any = None) -> dict[str, float]:
    """Return the speed-up of `instances` instances over one: all rows / rows of the fullest instance.

    dealt: bucket b belongs to instance b % instances. rebalanced: after `rebalance`, if given. two choices: each row
    goes to the less loaded of the two instances that its ip hashes to, so an ip has two owners. bound: an upper bound
    for every placement with one owner per ip. `bucket_of` is the hash; `ips` are those of the rows.
    Example: speed_ups(["a"] * 4, 2, bucket_of)["bound"] -> 1.0
    """
    hits, loads = Counter(ips), [0] * BUCKETS
    for ip, rows in hits.items():
        loads[bucket_of({"ip": ip}, ["ip"], BUCKETS)] += rows
    dealt = [bucket % instances for bucket in range(BUCKETS)]
    fullest = {
        "dealt": _fullest(loads, dealt),
        **({"rebalanced": _fullest(loads, rebalance(loads, dealt, instances))} if rebalance else {}),
        "two choices": _fullest_of_two(ips, instances, bucket_of),
        "bound": max(*hits.values(), len(ips) / instances),
    }
    return {name: len(ips) / rows for name, rows in fullest.items()}


def _fullest(loads: Sequence[int], owners: Sequence[int]) -> float:
    total: Counter[int] = Counter()
    for load, owner in zip(loads, owners, strict=True):
        total[owner] += load
    return max(total.values())


def _fullest_of_two(ips: Sequence[str], instances: int, bucket_of: BucketOf) -> float:
    # The salts differ in length: with CRC-32, salts of equal length often lead to the same pair of instances.
    two = {ip: [bucket_of({"ip": ip, "salt": salt}, ["ip", "salt"], instances) for salt in ("", "s")] for ip in {*ips}}
    total = [0] * instances
    for ip in ips:
        total[min(two[ip], key=total.__getitem__)] += 1
    return max(total)
