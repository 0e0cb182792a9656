"""Experiment of Lab 6 on failures: hits and latency of batches on Spark, whose Python workers are killed in between.

A batch's latency starts at its scheduled send time. The paper's metric starts when an event is read from the source, so
it omits the time for which events wait there (figures 10 and 11).
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from streamlab.experiments.published import published
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.python_workers import kill_python_workers
from streamlab.lab06_enrichment.shared_client import shared_client
from streamlab.lab06_enrichment.store_server import StoreClient, StoreServer

PARTITIONS, ACCOUNTS, BATCH = 4, 200, 500
DISTANCE_S, KEPT_S = 0.0005, 60.0
KEYS_EACH = 3
PAPER = "hits (%), partitioned, after a kill (s)"
Points = list[tuple[float, float]]


class BatchRun(NamedTuple):
    """One batch: the share of lookups without a call, the time of its job, and the time since it was due."""

    number: int
    hit_percent: float
    busy_ms: float
    latency_ms: float


def batches_with_kill(
    spark: Any,
    enrich: Callable[..., Any],
    open_cache: Callable[[], Any],
    batches: int,
    kill_before: int,
    every_s: float,
) -> tuple[list[BatchRun], int]:
    """Enrich `batches` batches of 500 payments of 200 accounts; return them, and the number of workers killed.

    The experiment starts with new workers, since earlier jobs may have left more workers than tasks run at once.
    enrich: called with an RDD of transactions, `open_store` and `open_cache`; returns an RDD.
    every_s: the interval at which batches are due; a batch starts when it is due and the previous one is done.
    """
    known = bank("death", ACCOUNTS)
    payments = known.payments(batches * BATCH)
    server, runs, killed = StoreServer(known.rows, DISTANCE_S), [], 0
    kill_python_workers()
    try:
        began_s = time.perf_counter()
        for number in range(batches):
            if number == kill_before:
                killed = kill_python_workers()
            due_s = began_s + number * every_s
            time.sleep(max(0.0, due_s - time.perf_counter()))
            rdd = spark.sparkContext.parallelize(payments[number * BATCH : (number + 1) * BATCH], PARTITIONS)
            runs.append(_run(number, rdd, partial(enrich, open_cache=open_cache), server, due_s))
    finally:
        server.close()
    return runs, killed


def hits_around_kill(runs: Sequence[BatchRun], kill_before: int, every_s: float) -> Points:
    """Return (s from the kill to the moment at which a batch was due, hits in percent) for each batch."""
    return [((each.number - 1 - kill_before) * every_s, each.hit_percent) for each in runs]


def paper_hits() -> Points:
    """Return the same for the paper's figure 11, which has a value every 6 s; there, the whole job restarts."""
    return [(float(after_s), hits) for after_s, (hits,) in published("lab06_enrichment", "scheinert", PAPER).items()]


def behind_shared_cache(shared_cache: Callable[..., Any], address: str, open_store: Callable[[], Any]) -> Any:
    """Return a function like `open_store`, for stores with the learner's SharedCache at `address` in front of them."""

    def open_both() -> Any:
        store = open_store()
        both = shared_cache(shared_client(address), store, KEPT_S)
        both.close = store.close
        return both

    return open_both


def _run(number: int, rdd: Any, enrich: Callable[..., Any], server: StoreServer, due_s: float) -> BatchRun:
    asked, began_s = len(server.calls), time.perf_counter()
    enrich(rdd, open_store=partial(StoreClient, server.address)).count()
    done_s, lookups = time.perf_counter(), KEYS_EACH * BATCH
    missed = sum(len(keys) for _, keys in server.calls[asked:])
    return BatchRun(number + 1, 100 * (1 - missed / lookups), 1000 * (done_s - began_s), 1000 * (done_s - due_s))
