"""Lab 4's measurements of operators and balancers: processor time per row, and speed-up in counted rows."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from streamlab.lab04_subqueries.engine.operators import Operator
from streamlab.lab04_subqueries.engine.rows import END_MS, Row

BUCKETS = 64
BucketOf = Callable[..., int]


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
