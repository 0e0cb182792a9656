"""Drives `enrich_sync` and `enrich_batched` one result at a time, `look_up` and `enrich_async` in virtual time.

Payments, store, clock and results are those of the counterpart, outside the sandbox.
"""

import asyncio
import inspect
import json
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.counterparts import Ask
from autograder.inside.rows import Rows, or_rejected
from autograder.inside.servers import own_server
from autograder.stages.lab06_enrichment.clients.drive_counterpart import A_MOMENT_S
from autograder.stages.lab06_enrichment.clients.drive_outside import (
    AsyncOutsideStore,
    OutsideStore,
    Source,
    run_outside,
)
from autograder.stages.lab06_enrichment.clients.drive_payments import payments_of, result, rows_of
from streamlab.lab06_enrichment import StoreError
from streamlab.lab06_enrichment.loops import run
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore
from streamlab.lab06_enrichment.virtual_time import Stuck

MORE = 3  # results beyond the expected ones


def _one_by_one(case: Any, results: Any, ask: Ask) -> Rows:
    """Give the results to the counterpart, and the error that ended them."""
    for _ in range(case["payments"] + MORE):
        try:
            ask("give", result(next(results)))
        except StopIteration:
            break
        except StoreError:
            ask("end", "StoreError")
            break
    return {}


@drive("enrich_sync")
def enrich_sync(stage: Any, case: Any, outside: Ask) -> Rows:
    """Enrich from a store whose rows may change before a result."""
    return _one_by_one(case, iter(stage.enrich_sync(Source(outside), OutsideStore(outside))), outside)


@drive("enrich_batched")
def enrich_batched(stage: Any, case: Any, outside: Ask) -> Rows:
    """Enrich from the counterpart's store, or return the results from PostgreSQL."""
    if case.get("postgres"):
        given = stage.enrich_batched(iter(payments_of(case)), _postgres(case), case["batch"])
        return {"given": [result(each) for each in given]}
    store = OutsideStore(outside)
    return or_rejected(
        lambda: _one_by_one(case, iter(stage.enrich_batched(Source(outside), store, case["batch"])), outside)
    )


def _postgres(case: Any) -> PostgresStore:
    store = PostgresStore(own_server("postgres").address)
    store.fill(rows_of(case))
    return store


async def _results(stage: Any, source: Any, store: Any, case: Any) -> Any:
    results = stage.enrich_async(source, store, case["capacity"], case["timeout_ms"] / 1000, case.get("ordered", True))
    return await results if inspect.isawaitable(results) else results


async def _read(stage: Any, case: Any, ask: Ask) -> None:
    """Read all results or the first `stop_after`, and wait until a call that is still running is one that was left."""
    results, given, raised = await _results(stage, Source(ask), AsyncOutsideStore(), case), 0, None
    try:
        async for each in results:
            ask("give", result(each))
            given += 1
            if given == case.get("stop_after"):
                await results.aclose()
                break
    except (RuntimeError, KeyError) as error:
        if isinstance(error, Stuck):
            raise
        raised = type(error).__name__
    ask("end", raised)
    await asyncio.sleep(A_MOMENT_S)


async def _read_postgres(stage: Any, case: Any) -> Rows:
    async with AsyncPostgresStore(own_server("postgres").address) as store:
        results = await _results(stage, iter(payments_of(case)), store, case)
        return {"given": [result(each) async for each in results]}


async def _look_up(stage: Any, case: Any, ask: Ask) -> None:
    """Look up one payment, or cancel it after `cancel_ms`; then wait as above."""
    raised, payment = None, next(Source(ask))
    task = asyncio.create_task(_awaited(stage.look_up, payment, AsyncOutsideStore(), case["timeout_ms"] / 1000))
    if "cancel_ms" in case:
        await asyncio.sleep(case["cancel_ms"] / 1000 + A_MOMENT_S)
        task.cancel()
    await asyncio.wait([task])
    if task.cancelled():
        raised = "CancelledError"
    elif isinstance(error := task.exception(), NotImplementedError | Stuck):
        raise error
    elif error:
        raised = type(error).__name__
    else:
        ask("give", result(task.result()))
    ask("end", raised)
    await asyncio.sleep(A_MOMENT_S)


async def _awaited(look_up: Any, *arguments: Any) -> Any:
    return await look_up(*arguments)


@drive("look_up")
def look_up(stage: Any, case: Any, outside: Ask) -> Rows:
    """Look up one payment, in virtual time."""
    return or_rejected(lambda: run_outside(_look_up(stage, case, outside), outside))


@drive("enrich_async")
def enrich_async(stage: Any, case: Any, outside: Ask) -> Rows:
    """Enrich in virtual time, or return the results from PostgreSQL."""
    if case.get("postgres"):
        _postgres(case).close()
        return run(_read_postgres(stage, case))
    return or_rejected(lambda: run_outside(_read(stage, case, outside), outside))


@drive("enrich_async.throughput")
def throughput(stage: Any, case: Any) -> Rows:
    """Enrich all payments of a file in one turn, with a store 1 ms away, on a real loop."""
    work = json.loads(Path(case["path"]).read_bytes())

    async def turn() -> list[Any]:
        store = AsyncMemoryStore(rows_of(work))
        results = await _results(stage, iter(payments_of(work)), store, work)
        return [result(each) async for each in results]

    return {"given": run(turn())}
