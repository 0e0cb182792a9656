"""Experiment of Lab 6: the time of a payment against the amount of state, beside figure 12 of the paper."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from streamlab.experiments.published import published
from streamlab.lab06_enrichment.events import Key, Transaction
from streamlab.lab06_enrichment.histories import AccountState, Version

ACCOUNTS, PAYMENTS = 2000, 50
RUNS = [f"p99 with state, run {run} (ms)" for run in (1, 2, 3)]
Points = list[tuple[int, float]]


def payment_ms(enrich_from_state: Callable[..., Any], totals: Sequence[int]) -> Points:
    """Return (rows in the state of 2,000 accounts, ms for a payment) for each total; the median of 50 payments.

    As on Spark, a call gets the state of one account from JSON, and its new state becomes JSON again.
    """
    return [(total, _payment_ms(enrich_from_state, max(1, total // ACCOUNTS))) for total in totals]


def above_least(points: Points) -> Points:
    """Return the points with the least value subtracted from each."""
    least_ms = min(each_ms for _, each_ms in points)
    return [(total, each_ms - least_ms) for total, each_ms in points]


def paper_runs() -> dict[str, Points]:
    """Return (rows in the state, ms above the least 99th percentile of all runs) for each of the paper's three runs."""
    found = published("lab06_enrichment", "scheinert", *RUNS)
    points = above_least([(int(total), each_ms) for total, runs_ms in found.items() for each_ms in runs_ms])
    return {f"paper, run {at + 1}": points[at :: len(RUNS)] for at in range(len(RUNS))}


def _payment_ms(enrich_from_state: Callable[..., Any], rows: int) -> float:
    versions = {Key("device", "ann", f"device {at}"): [Version(0, at, "row")] for at in range(rows)}
    kept, took_s = AccountState(versions, []).to_json(), []
    for number in range(PAYMENTS):
        payment = Transaction(f"t{number}", "ann", "shop", "device 0", "Berlin", 100, number)
        began_s = time.perf_counter()
        state, _ = enrich_from_state(AccountState.from_json(kept), [payment], number)
        kept = state.to_json()
        took_s.append(time.perf_counter() - began_s)
    return 1000 * median(took_s)
