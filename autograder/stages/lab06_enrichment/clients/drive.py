"""Drives `enrich_sync` and `enrich_batched` one result at a time, `look_up` and `enrich_async` in virtual time."""

import asyncio
import inspect
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.inside.servers import own_server
from autograder.stages.lab06_enrichment.clients.drive_payments import Source, payments_of, result, rows_of
from streamlab.lab06_enrichment import Key, StoreError
from streamlab.lab06_enrichment.loops import run
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore
from streamlab.lab06_enrichment.virtual_time import Stuck, run_virtually

ERRORS = {
    "StoreError": StoreError,
    "TimeoutError": TimeoutError,
    "RuntimeError": RuntimeError,
    "KeyError": KeyError,
}
A_MOMENT_S = 1e-6
MORE = 3  # results beyond the expected ones


class BreakableStore(MemoryStore):
    """A store that raises StoreError for the case's key "breaks", if it has one."""

    def __init__(self, case: Any) -> None:
        super().__init__(rows_of(case))
        self._breaks = Key(*case["breaks"]) if "breaks" in case else None

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known."""
        if self._breaks in keys:
            raise StoreError("planned")
        return super().get_many(keys)


def _one_by_one(case: Any, source: Source, results: Any, store: MemoryStore) -> Rows:
    """Return the results, the payments taken at each of them, the keys of each call, and the error that ended it."""
    given, taken, raised = list[Any](), list[int](), None
    changes = {at: (Key(*key), row) for at, key, row in case.get("changes", [])}
    for number in range(len(case["transactions"]) + MORE):
        if number in changes:
            key, row = changes[number]
            store.rows = {**store.rows, key: row}
        try:
            given.append(result(next(results)))
        except StopIteration:
            break
        except StoreError:
            raised = "StoreError"
            break
        taken.append(source.taken)
    return {"given": given, "taken": taken, "calls": plain(store.calls), "raised": raised}


@drive("enrich_sync")
def enrich_sync(stage: Any, case: Any) -> Rows:
    """Return the results from a store whose rows may change before a result."""
    source, store = Source(case), BreakableStore(case)
    return _one_by_one(case, source, iter(stage.enrich_sync(source, store)), store)


@drive("enrich_batched")
def enrich_batched(stage: Any, case: Any) -> Rows:
    """Return the results from a store in memory, or from PostgreSQL."""
    source, store = Source(case), BreakableStore(case)
    if case.get("postgres"):
        return {"given": [result(each) for each in stage.enrich_batched(source, _postgres(case), case["batch"])]}
    return or_rejected(
        lambda: _one_by_one(case, source, iter(stage.enrich_batched(source, store, case["batch"])), store)
    )


def _postgres(case: Any) -> PostgresStore:
    store = PostgresStore(own_server("postgres").address)
    store.fill(rows_of(case))
    return store


def _store(case: Any) -> AsyncMemoryStore:
    delays_ms = {Key(*key): ms for *key, ms in case.get("delays_ms", [])}
    fails = {Key(*key): name for *key, name in case.get("fails", [])}
    return AsyncMemoryStore(
        rows_of(case),
        lambda key: delays_ms.get(key, 1) / 1000,
        lambda key: ERRORS[fails[key]]("planned") if key in fails else None,
    )


async def _results(stage: Any, source: Any, store: Any, case: Any) -> Any:
    results = stage.enrich_async(source, store, case["capacity"], case["timeout_ms"] / 1000, case.get("ordered", True))
    return await results if inspect.isawaitable(results) else results


def _whole(ms: float) -> float:
    return int(ms) if ms == int(ms) else ms


async def _read(stage: Any, case: Any) -> Rows:
    """Read all results or the first `stop_after`; then count the calls that are still running."""
    source, store, given, at_ms = Source(case), _store(case), list[Any](), list[float]()
    results, now_s, raised = await _results(stage, source, store, case), asyncio.get_running_loop().time, None
    try:
        async for each in results:
            given.append(result(each))
            at_ms.append(_whole(round(1000 * now_s(), 3)))
            source.given += 1
            if source.given == case.get("stop_after"):
                await results.aclose()
                break
    except (RuntimeError, KeyError) as error:
        if isinstance(error, Stuck):
            raise
        raised = type(error).__name__
    ended_ms = _whole(round(1000 * now_s(), 3))
    await asyncio.sleep(A_MOMENT_S)
    rows = {"given": given, "at_ms": at_ms, "most_open": source.most_open, "raised": raised}
    return rows | {"running": store.in_flight, "ended_ms": ended_ms}


async def _read_postgres(stage: Any, case: Any) -> Rows:
    async with AsyncPostgresStore(own_server("postgres").address) as store:
        results = await _results(stage, iter(payments_of(case)), store, case)
        return {"given": [result(each) async for each in results]}


async def _look_up(stage: Any, case: Any) -> Rows:
    """Look up one payment, or cancel it after `cancel_ms`; then count the calls that are still running."""
    store, raised, given = _store(case), None, None
    now_s = asyncio.get_running_loop().time
    [payment] = payments_of(case)
    task = asyncio.create_task(_awaited(stage.look_up, payment, store, case["timeout_ms"] / 1000))
    if "cancel_ms" in case:
        await asyncio.sleep(case["cancel_ms"] / 1000 + A_MOMENT_S)
        task.cancel()
    await asyncio.wait([task])
    at_ms = _whole(round(1000 * now_s(), 3))
    if task.cancelled():
        raised = "CancelledError"
    elif isinstance(error := task.exception(), NotImplementedError | Stuck):
        raise error
    elif error:
        raised = type(error).__name__
    else:
        given = result(task.result())
    await asyncio.sleep(A_MOMENT_S)
    return {"given": given, "at_ms": at_ms, "raised": raised, "running": store.in_flight}


async def _awaited(look_up: Any, *arguments: Any) -> Any:
    return await look_up(*arguments)


@drive("look_up")
def look_up(stage: Any, case: Any) -> Rows:
    """Return the enriched payment and the time that it took, in virtual time."""
    return or_rejected(lambda: run_virtually(_look_up(stage, case))[0])


@drive("enrich_async")
def enrich_async(stage: Any, case: Any) -> Rows:
    """Return the results and their times, in virtual time; or the results from PostgreSQL."""
    if case.get("postgres"):
        _postgres(case).close()
        return run(_read_postgres(stage, case))
    return or_rejected(lambda: run_virtually(_read(stage, case))[0])


@drive("enrich_async.throughput")
def throughput(stage: Any, case: Any) -> Rows:
    """Enrich all payments of a file in one turn, with a store 1 ms away, on a real loop."""
    work = json.loads(Path(case["path"]).read_bytes())

    async def turn() -> list[Any]:
        store = AsyncMemoryStore(rows_of(work))
        results = await _results(stage, iter(payments_of(work)), store, work)
        return [result(each) async for each in results]

    return {"given": run(turn())}
