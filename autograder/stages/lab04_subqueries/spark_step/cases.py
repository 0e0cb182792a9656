"""Seeded cases of `spark_step`: micro-batches of rows with a name and a bucket. Spark runs them, so they are few.

Only `silent` has a bucket with state and without rows in a batch.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

BUCKETS, INSTANCES = 4, 2
BATCH_MS = 100
Row = dict[str, Any]


def batches(seed: str) -> list[Case]:
    """Return two small batches, then three with many rows of one time; the owners change before the last one."""
    rng = random_for(seed, "batches")
    small = [_row("a", 1, 0, 5), _row("b", 2, 1, 7)]
    first, second = [1, 0, 0, 1], [1, 1, 0, 0]
    random_steps = [
        _step(_rows(rng, at * BATCH_MS, ties=True), (at + 1) * BATCH_MS, owners)
        for at, owners in enumerate([first, first, second])
    ]
    return [
        _case([_step(small, 10, [1, 0]), _step([_row("a", 3, 0, 12), _row("b", 4, 1, 11)], 20, [1, 0])]),
        _case(random_steps),
    ]


def silent(seed: str) -> list[Case]:
    """Return batches in which all buckets have rows, then one bucket, then none."""
    rng = random_for(seed, "silent")
    owners = [0, 1, 1, 0]
    all_buckets = [_row(f"n{bucket}", rng.randrange(100), bucket, 10 + bucket) for bucket in range(BUCKETS)]
    late = _row("late", rng.randrange(100), 3, BATCH_MS - 1)
    one_bucket = [_row("n0", rng.randrange(100), 0, BATCH_MS + 1)]
    small = [_step([_row("a", 1, 0, 5)], 10, [0, 1]), _step([_row("b", 1, 1, 70)], 80, [0, 1])]
    steps = [([*all_buckets, late], 1), (one_bucket, 2), ([], 3)]
    return [_case(small), _case([_step(rows, at * BATCH_MS, owners) for rows, at in steps])]


def killed(seed: str) -> list[Case]:
    """Return two batches; a worker is killed in the second one, and the action is repeated."""
    rng = random_for(seed, "killed")
    steps = [_step(_rows(rng, at * BATCH_MS, ties=False), (at + 1) * BATCH_MS, [1, 0, 0, 1]) for at in (0, 1)]
    return [{**_case(steps), "kill": True}]


def _rows(rng: random.Random, from_ms: int, *, ties: bool) -> list[Row]:
    """Return rows of one batch in any order, several per bucket; with `ties`, many of one time in the wrong order."""
    rows = []
    for bucket in range(BUCKETS):
        times = [from_ms + rng.randrange(BATCH_MS) for _ in range(3)]
        if ties:
            times += [times[0]] * 4
        else:
            times = sorted(set(times))
        rows += [_row(f"n{bucket}{rng.randrange(2)}", rng.randrange(100), bucket, t) for t in times]
    if not ties:
        rng.shuffle(rows)
        return rows
    return sorted(rows, key=lambda row: (-row["t"], -row["v"]))


def _row(name: str, v: int, bucket: int, t: int) -> Row:
    return {"name": name, "v": v, "b": bucket, "t": t}


def _step(rows: list[Row], until_ms: int, owners: list[int]) -> dict[str, Any]:
    return {"rows": rows, "until_ms": until_ms, "owners": owners}


def _case(steps: list[dict[str, Any]]) -> Case:
    return {"steps": steps, "instances": INSTANCES, "kill": False}
