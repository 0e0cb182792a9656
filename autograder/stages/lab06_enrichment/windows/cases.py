"""Files of transactions [id, account, cents, at_ms, flags], and payments on Kafka before they are enriched.

A standing query takes seconds, so the cases are few.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

HOURS, HOUR_MS = 4, 3_600_000
FLAGS = ["UNKNOWN_RECIPIENT", "UNKNOWN_DEVICE", "UNKNOWN_LOCATION", "NO_ANSWER_DEVICE"]
DEVICES = ["phone", "laptop"]
T1 = ["t1", "ann", 100, 4_999, []]
T2 = ["t2", "ann", 250, 5_000, ["UNKNOWN_DEVICE"]]
T3 = ["t3", "ann", 1000, 16_000, ["UNKNOWN_RECIPIENT", "UNKNOWN_DEVICE"]]
T4 = ["t4", "ann", 70, 3_000, []]


def streams(seed: str) -> list[Case]:
    """Return two files of several accounts, all in time: the edges of windows, and repeats in any order."""
    rng = random_for(seed, "streams")
    edges = [[f"e{at}", "ann", 10**at, at_ms, []] for at, at_ms in enumerate((4_999, 5_000, 9_999, 10_000))]
    some = edges + [_row(rng, number) for number in range(14)]
    rng.shuffle(some)
    return [{"files": [some[:9], some[9:]], "watermark_s": 60}]


def repeats(seed: str) -> list[Case]:
    """Return transactions that come again in the same file and in the next one."""
    rng = random_for(seed, "repeats")
    some = [_row(rng, number) for number in range(6)]
    first, second = [*some[:4], rng.choice(some[:4])], [*some[4:], *rng.sample(some[:4], 2)]
    rng.shuffle(first)
    rng.shuffle(second)
    return [{"files": [first, second], "watermark_s": 60}]


def late(seed: str) -> list[Case]:
    """Return the example (t4 is late although one of its windows is open), a watermark of 0, and a negative one."""
    rng = random_for(seed, "late")
    in_time = ["t5", "bob", rng.randint(1, 999), 6_001, []]
    files = [[T1, T2], [T1, T3], [T4, in_time]]
    return [{"files": files[:upto], "watermark_s": watermark_s} for upto, watermark_s in ((3, 10), (1, 0), (1, -1))]


def hours(seed: str) -> list[Case]:
    """Return a file for each of some hours; all files have the same transactions, but for their ids and hours."""
    rng = random_for(seed, "hours")
    some = [_row(rng, number) for number in range(rng.randint(5, 8))]
    files = [
        [
            [f"{name} of hour {hour}", account, cents, hour * HOUR_MS + at_ms, flags]
            for name, account, cents, at_ms, flags in some
        ]
        for hour in range(HOURS)
    ]
    return [{"files": files, "watermark_s": rng.randint(10, 60)}]


def on_kafka(seed: str) -> list[Case]:
    """Return payments of a minute in any order, a third of them twice; known rows for half of what they hold.

    The job is killed when some of their windows are closed, and others are open.
    """
    rng = random_for(seed, "on_kafka")
    payments = [
        [f"t{number}", rng.choice(["ann", "bob"]), "shop", rng.choice(DEVICES), "Berlin", rng.randint(1, 9999), at_ms]
        for number, at_ms in enumerate(rng.sample(range(1000, 60_000), 18))
    ]
    known = [["recipient", "ann", "shop"], ["location", "bob", "Berlin"], ["device", "ann", DEVICES[0]]]
    rows = [[*key, f"row {at}"] for at, key in enumerate(known)]
    transactions = [*payments, *rng.sample(payments, 6)]
    rng.shuffle(transactions)
    return [{"transactions": transactions, "rows": rows, "watermark_s": 10}]


def _row(rng: random.Random, number: int) -> list[Any]:
    flags = rng.sample(FLAGS, rng.choice([0, 0, 1, 2]))
    return [f"t{number}", rng.choice(["ann", "bob"]), rng.randint(1, 9999), rng.randrange(0, 40_000), flags]
