"""The input of the throughput check of `Desk`: micro-batches of phones and payments in the order of their times."""

import json
from collections import Counter
from typing import Any

from autograder.checks import Mismatch, Rows, same_items
from autograder.checks.compare import shown
from autograder.checks.seeds import random_for
from autograder.stages.lab09_system.desk.cases import pays, phone, shop, square

RECORDS, BATCH, PER_S = 3_000, 200, 60
ACCOUNTS, SHOPS, PHONES = 50, 10, 0.2  # PHONES: the share of positions
GAP, SIDE = 10, 4  # degrees from shop to shop, and of each shop
WINDOW_MS, ADVANCE_MS, END_MS = 10_000, 5_000, 70_000


def workload(seed: str) -> tuple[bytes, int]:
    """Return batches [rows, watermark] as JSON, and the number of phones and payments in them."""
    rng = random_for(seed, "throughput")
    batches: list[list[Any]] = [[[shop(f"s{at}", 0, square(GAP * at), at) for at in range(SHOPS)], 0]]
    for number in range(RECORDS):
        time_ms, account = 1 + 1000 * number // PER_S, f"a{rng.randrange(ACCOUNTS)}"
        place, name = rng.randrange(SHOPS), f"s{rng.randrange(SHOPS)}"
        if rng.random() < PHONES:
            row = phone(account, time_ms, GAP * place + rng.choice([0, 1, 4, 5]), rng.randint(0, SIDE), number)
        else:
            cents, limit = rng.choice([500, 4_000, 30_000]), rng.choice([5_000, 20_000])
            row = pays(account, time_ms, f"p{number}", cents, name, offset=number, limit=limit)
        if number % BATCH == 0:
            batches.append([[], 0])
        batches[-1][0].append(row)
        batches[-1][1] = time_ms
    return json.dumps([*batches, [[], END_MS]]).encode("ascii"), RECORDS


def same_alerts(content: bytes, rows: Rows) -> Mismatch | None:
    """Compare the alerts of a turn, in any order."""
    expected, got = _expected(content), rows.get("alerts")
    if not isinstance(got, list) or len(got) != len(expected):
        number = len(got) if isinstance(got, list) else shown(got)
        return Mismatch(f"Expected {len(expected)} alerts; yours are {number}.", len(expected), number)
    return same_items(expected, got, what="the alerts")


def _expected(content: bytes) -> list[list[Any]]:
    """Return the alerts, from the longitude of each account's last phone, and from sums for each window."""
    places, cents, limits = dict[str, float](), Counter[tuple[str, int]](), dict[tuple[str, int], int]()
    found = list[list[Any]]()
    for kind, account, time_ms, _, *rest in (row for batch, _ in json.loads(content) for row in batch):
        if kind == "phone":
            places[account] = rest[0]
        elif kind == "pays":
            one, amount, at, limit = rest
            is_inside = 0 <= places.get(account, -1) - GAP * int(at[1:]) <= SIDE
            found += [] if is_inside or account not in places else [["AWAY", account, one, time_ms, amount]]
            for end in (time_ms // ADVANCE_MS * ADVANCE_MS + step for step in (ADVANCE_MS, WINDOW_MS)):
                cents[account, end] += amount
                limits[account, end] = limit
    spent = [(account, end, total) for (account, end), total in cents.items() if total > limits[account, end]]
    return found + [["SPENT", account, str(end), end - 1, total] for account, end, total in spent]
