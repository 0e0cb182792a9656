"""Experiment of Lab 6: latency against the offered rate, in virtual time, beside figures 4 to 7 of the paper.

The loop is open: payments come at random moments, whether or not earlier ones are done, and a latency counts from the
moment at which a payment comes. The rate rises every five minutes, and what waits then still waits at the next rate.
"""

from collections.abc import Callable
from heapq import heapreplace
from math import nan
from random import Random
from typing import Any, NamedTuple

from streamlab.experiments.published import published
from streamlab.lab06_enrichment.events import KINDS
from streamlab.lab06_enrichment.experiments.load_generator import percentile
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore
from streamlab.lab06_enrichment.virtual_time import run_virtually

WORKERS, CAPACITY, STEP_S = 8, 50, 300
RATES_PER_S = range(1000, 2201, 100)
LOOKUP_S = 0.00414 / len(KINDS)  # a blocking worker of the paper is busy for 517 ms per second at 1,000/s
TIMED = 100  # payments


class Step(NamedTuple):
    """Five minutes at one rate: median and 99th percentile of the latency in ms, busy share in percent, consumed rate.

    The busy share is that of a worker's places; in the paper, that of the tasks' time. The consumed rate is that of the
    payments that all workers have worked off. The paper gives no median.
    """

    way: str
    rate_per_s: int
    median_ms: float
    p99_ms: float
    busy_percent: float
    consumed_per_s: float


def ramps(enrich_sync: Callable[..., Any], enrich_async: Callable[..., Any]) -> dict[str, list[Step]]:
    """Return the steps of "sync" and "async", and those of the paper, whose generator holds messages back for 3 s."""
    ours = {"sync": blocking(enrich_sync), "async": asynchronous(enrich_async)}
    return ours | {f"paper, {way}": _paper(way) for way in ours}


def _paper(way: str) -> list[Step]:
    series = f"p99 (ms), {way}", f"busy (%), {way}", f"consumed (events/s), {way}"
    found = published("lab06_enrichment", "scheinert", *series)
    return [Step(f"paper, {way}", int(rate), nan, *values) for rate, values in found.items()]


def blocking(enrich_sync: Callable[..., Any]) -> list[Step]:
    """Return the steps of eight workers that block; a payment takes as long as `enrich_sync` waits for its lookups."""
    store = MemoryStore({}, LOOKUP_S)
    done = list(enrich_sync(bank("offered", accounts=1).payments(TIMED), store))
    return ramp("sync", store.now_s / len(done), places=1)


def asynchronous(enrich_async: Callable[..., Any]) -> list[Step]:
    """Return the steps of eight workers with 50 payments in flight; a payment takes as long as alone."""
    store = AsyncMemoryStore({}, lambda key: LOOKUP_S)

    async def one_by_one() -> int:
        payments = bank("offered", accounts=1).payments(TIMED)
        return len([each async for each in enrich_async(payments, store, 1, 1.0)])

    done, took_s = run_virtually(one_by_one())
    return ramp("async", took_s / done, CAPACITY)


def ramp(way: str, payment_s: float, places: int) -> list[Step]:
    """Return the steps of one of the workers, which has `places` places that hold a payment for `payment_s` seconds.

    A payment takes the place that is free first. Each worker gets an eighth of the payments (its accounts).
    """
    rng, free_s, came_s, steps = Random("offered"), [0.0] * places, 0.0, list[Step]()
    for number, rate_per_s in enumerate(RATES_PER_S):
        begin_s, end_s = number * STEP_S, (number + 1) * STEP_S
        left_s, latencies_ms = _work_left_s(free_s, begin_s), list[float]()
        while came_s < end_s:
            done_s = max(came_s, free_s[0]) + payment_s
            heapreplace(free_s, done_s)
            latencies_ms.append(1000 * (done_s - came_s))
            came_s += rng.expovariate(rate_per_s / WORKERS)
        worked_s = left_s + len(latencies_ms) * payment_s - _work_left_s(free_s, end_s)
        median_ms, p99_ms = (percentile(latencies_ms, share) for share in (50, 99))
        busy_percent, consumed_per_s = 100 * worked_s / (places * STEP_S), WORKERS * worked_s / (payment_s * STEP_S)
        steps.append(Step(way, rate_per_s, median_ms, p99_ms, busy_percent, consumed_per_s))
    return steps


def _work_left_s(free_s: list[float], now_s: float) -> float:
    return sum(max(0.0, each_s - now_s) for each_s in free_s)
