"""Experiment of Lab 6: payments per second of each enrichment method, at several distances of a real database."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from streamlab.lab06_enrichment.cassandra_rows import AsyncCassandraStore, CassandraStore
from streamlab.lab06_enrichment.events import Transaction
from streamlab.lab06_enrichment.loops import run
from streamlab.lab06_enrichment.payments import Bank
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.lab06_enrichment.shared_client import before_each_trip, shared_client
from streamlab.lab06_enrichment.stores import AsyncDistant, Distant
from streamlab.services import ServiceError, service

CAPACITY, BATCH, TIMEOUT_S, TTL_S = 50, 100, 30.0, 600.0
FEW, MANY = 60, 2000  # payments of the blocking client, which is slow, and of the others
CLIENTS: dict[str, tuple[Any, Any, int]] = {  # database -> (blocking client, asynchronous client, payments)
    "postgres": (PostgresStore, AsyncPostgresStore, MANY),
    "cassandra": (CassandraStore, AsyncCassandraStore, 500),  # it answers each key of a batch separately
}
NAMES = ("sync", "async 50", "local cache", "batch 100", "bound 1/(3d)")
OpenAsync = Callable[[], AbstractAsyncContextManager[Any]]


def rates_by_database(
    tasks: Any, bank: Bank, databases: Mapping[str, str], distances_ms: Sequence[float]
) -> list[tuple[Any, ...]]:
    """Return (database, distance in ms, payments/s of each of NAMES); `databases` are host:port by name in CLIENTS.

    The function first fills each database with the rows that its payments need. See `rates` for the other arguments.
    Example: databases={"postgres": postgres.address} | address_if_up("cassandra")
    """
    found = list[tuple[Any, ...]]()
    for name, address in databases.items():
        blocking, without_blocking, count = CLIENTS[name]
        asked = (key for each in bank.payments(count) for key in each.keys)
        store = blocking(address)
        try:
            store.fill({key: bank.rows[key] for key in asked if key in bank.rows})
            own = rates(tasks, bank, store, partial(without_blocking, address), distances_ms, count)
        finally:
            store.close()
        found += [(name, *row) for row in own]
    return found


def address_if_up(name: str) -> dict[str, str]:
    """Return {name: host:port} if `./lab services up` has started the service and it answers, otherwise {}."""
    try:
        return {name: service(name).address}
    except ServiceError:
        return {}


def rates(
    tasks: Any,
    bank: Bank,
    store: Any,
    open_async: OpenAsync,
    distances_ms: Sequence[float],
    count: int = MANY,
) -> list[tuple[float, ...]]:
    """Return (distance in ms, payments/s of each of NAMES) for each distance of the database.

    tasks: has the learner's enrich_sync, enrich_async, enrich_batched, LruCache and CachedStore. store: a blocking
    store. open_async(): a context with an asynchronous one. count: payments per method; the blocking client gets at
    most FEW of them at a distance. The cache is filled before it is measured. The bound of one blocking client is
    infinite at 0 ms.
    """
    payments = bank.payments(count)
    return [(ms, *_at(tasks, payments, store, open_async, ms / 1000)) for ms in distances_ms]


def shared_rates(
    enrich_batched: Any, shared_cache: Any, bank: Bank, postgres: str, redis: str, distances_ms: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return (distance in ms, payments/s of batches without and with the shared cache) for PostgreSQL.

    `postgres` and `redis` are host:port, and both are as far away. The cache is filled before it is measured.
    """
    payments, found, store = bank.payments(MANY), list[tuple[float, ...]](), PostgresStore(postgres)
    try:
        store.fill({key: bank.rows[key] for each in payments for key in each.keys if key in bank.rows})
        for ms in distances_ms:
            far = Distant(store, ms / 1000)
            shared = shared_cache(_distant_client(redis, ms / 1000), far, TTL_S)
            list(enrich_batched(payments, shared, BATCH))
            both = [_rate(payments, partial(enrich_batched, payments, each, BATCH)) for each in (far, shared)]
            found.append((ms, *both))
    finally:
        store.close()
    return found


def _at(
    tasks: Any, payments: Sequence[Transaction], store: Any, open_async: OpenAsync, distance_s: float
) -> list[float]:
    far = Distant(store, distance_s)
    few = payments[:FEW] if distance_s else payments
    return [
        _rate(few, lambda: tasks.enrich_sync(few, far)),
        *run(_async_rates(tasks, payments, open_async, distance_s)),
        _rate(payments, lambda: tasks.enrich_batched(payments, far, BATCH)),
        1 / (3 * distance_s) if distance_s else float("inf"),
    ]


def _rate(payments: Sequence[Transaction], results: Callable[[], Any]) -> float:
    began = time.perf_counter()
    count = sum(1 for _ in results())
    _require_all(count, payments)
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
    _require_all(count, payments)
    return count / (time.perf_counter() - began)


def _require_all(count: int, payments: Sequence[Transaction]) -> None:
    if count != len(payments):
        raise RuntimeError(f"expected {len(payments)} payments to come out, got {count}")


def _distant_client(address: str, distance_s: float) -> Any:
    """Return a Redis client whose round trips take `distance_s` longer."""
    client = shared_client(address, gives_up_after_s=5.0)
    return before_each_trip(client, lambda: time.sleep(distance_s)) if distance_s else client
