"""Experiment of Lab 6: payments per second of each way to enrich, at several distances of a real database."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from streamlab.enrichment.events import Transaction
from streamlab.enrichment.loops import run
from streamlab.enrichment.payments import Bank
from streamlab.enrichment.shared_client import before_each_trip, shared_client
from streamlab.enrichment.stores import AsyncDistant, Distant

CAPACITY, BATCH, TIMEOUT_S, TTL_S = 50, 100, 30.0, 600.0
FEW, MANY = 60, 2000  # payments of the blocking client, which is slow, and of the others
NAMES = ("sync", "async 50", "local cache", "batch 100", "shared cache", "bound 1/(3d)")
OpenAsync = Callable[[], AbstractAsyncContextManager[Any]]


def rates(
    tasks: Any, bank: Bank, store: Any, open_async: OpenAsync, redis: str, distances_ms: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return (distance in ms, payments/s of each of NAMES) for each distance of the database and of Redis.

    tasks: has the learner's enrich_sync, enrich_async, enrich_batched, LruCache, CachedStore and SharedCache. store: a
    store that blocks. open_async(): a context with one that does not. redis: host:port. The caches are filled before
    they are measured; the shared one is asked in batches. The bound of one blocking client is infinite at 0 ms.
    """
    return [(ms, *_at(tasks, bank, store, open_async, redis, ms / 1000)) for ms in distances_ms]


def _at(tasks: Any, bank: Bank, store: Any, open_async: OpenAsync, redis: str, distance_s: float) -> list[float]:
    payments, far = bank.payments(MANY), Distant(store, distance_s)
    shared = tasks.SharedCache(_distant_client(redis, distance_s), far, TTL_S)
    list(tasks.enrich_batched(payments, shared, BATCH))
    few = payments[: FEW if distance_s else MANY]
    return [
        _rate(few, lambda: tasks.enrich_sync(few, far)),
        *run(_async_rates(tasks, payments, open_async, distance_s)),
        _rate(payments, lambda: tasks.enrich_batched(payments, far, BATCH)),
        _rate(payments, lambda: tasks.enrich_batched(payments, shared, BATCH)),
        1 / (3 * distance_s) if distance_s else float("inf"),
    ]


def _rate(payments: Sequence[Transaction], results: Callable[[], Any]) -> float:
    began = time.perf_counter()
    count = sum(1 for _ in results())
    _all_came(count, payments)
    return count / (time.perf_counter() - began)


async def _async_rates(
    tasks: Any, payments: Sequence[Transaction], open_async: OpenAsync, distance_s: float
) -> list[float]:
    async with open_async() as store:
        far = AsyncDistant(store, distance_s)
        cached = tasks.CachedStore(far, tasks.LruCache(10 * len(payments)))
        await _async_rate(tasks, payments, cached)
        return [await _async_rate(tasks, payments, each) for each in (far, cached)]


async def _async_rate(tasks: Any, payments: Sequence[Transaction], store: Any) -> float:
    began, count = time.perf_counter(), 0
    async for _ in tasks.enrich_async(payments, store, CAPACITY, TIMEOUT_S):
        count += 1
    _all_came(count, payments)
    return count / (time.perf_counter() - began)


def _all_came(count: int, payments: Sequence[Transaction]) -> None:
    if count != len(payments):
        raise RuntimeError(f"expected {len(payments)} payments to come out, got {count}")


def _distant_client(address: str, distance_s: float) -> Any:
    """A client of Redis each round trip of which takes `distance_s` longer."""
    client = shared_client(address, gives_up_after_s=5.0)
    return before_each_trip(client, lambda: time.sleep(distance_s)) if distance_s else client
