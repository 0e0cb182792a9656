"""Measure Lab 6's methods against the blocking client, and `LruCache` against `functools.lru_cache`.

    .venv/bin/python benchmarks/lab06_enrichment.py [--turns 9] [--lookups 100000]

At 1 and 5 ms per call, the reference's `enrich_sync` and another method take turns on the same payments, in alternating
order: `enrich_async` with 50 payments in flight on the throughput check's store (in memory) and on PostgreSQL,
`enrich_batched` with batches of 100 on PostgreSQL. The blocking client gets fewer payments. Results are compared in
every turn. Then both caches get the same lookups, by Zipf's law with exponent 1, and their hits are compared. Prints
the median of the turns' ratios with its 95 % bootstrap interval and its goal; exits with 1 if a goal is missed.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from streamlab.lab06_enrichment import Enriched, Transaction  # noqa: E402
from streamlab.lab06_enrichment.loops import run  # noqa: E402
from streamlab.lab06_enrichment.payments import Bank, bank  # noqa: E402
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore  # noqa: E402
from streamlab.lab06_enrichment.stores import AsyncDistant, Distant  # noqa: E402
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402
from streamlab.services import running  # noqa: E402

LAB = "lab06_enrichment"
CAPACITY, BATCH, TIMEOUT_S = 50, 100, 30.0
FEW, MANY, ACCOUNTS = 60, 1000, 2000  # payments of the blocking client and of the others
AT_LEAST = {  # (method, distance in ms) -> times the rate of the blocking client
    ("async 50, in memory", 1): 12.0,
    ("async 50, in memory", 5): 40.0,
    ("async 50, PostgreSQL", 1): 4.0,
    ("async 50, PostgreSQL", 5): 15.0,
    ("batches of 100, PostgreSQL", 1): 50.0,
    ("batches of 100, PostgreSQL", 5): 120.0,
}
ENTRIES, DISTINCT, AT_MOST = 1000, 6000, 5.0  # AT_MOST: times as long as functools.lru_cache
Method = Callable[[Sequence[Transaction]], list[Enriched]]


def main() -> int:
    """Measure and print; return 0 if all goals are reached, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--lookups", type=int, default=100_000)
    options = parser.parse_args()
    vars(streamlab)["session"] = lambda *_, **__: None  # these tasks need no Spark
    tasks = load_cells(LAB, read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells, module_name="measured")
    assert not tasks.errors, [each.sentence() for each in tasks.errors]
    reached = _methods(tasks, options.turns)
    return 0 if _caches(tasks.LruCache, options.turns, options.lookups) and reached else 1


def _methods(tasks: Stage, turns: int) -> bool:
    known = bank("measured", ACCOUNTS)
    with running("postgres") as server:
        store = PostgresStore(server.address)
        store.fill(known.rows)
        reached = [_gain(tasks, known, store, server.address, *each, turns) for each in AT_LEAST]
        store.close()
    return all(reached)


def _gain(tasks: Stage, known: Bank, database: Any, address: str, name: str, ms: int, turns: int) -> bool:
    in_memory = name.endswith("memory")
    store = Distant(MemoryStore(known.rows) if in_memory else database, ms / 1000)
    batched = name.startswith("batches")
    method = _batches(tasks, store) if batched else _asynchronous(tasks, known, address, ms, in_memory)
    methods = {"sync": (FEW, lambda payments: list(tasks.enrich_sync(payments, store))), "other": (MANY, method)}
    ratios, rates = _in_turns(methods, known.payments(MANY), turns)
    low, high = interval(ratios)
    goal, gain = AT_LEAST[name, ms], median(ratios)
    figures = f"{median(rates['other']):>9,.0f} payments/s, sync {median(rates['sync']):>5,.0f}"
    print(f"{name:27}{ms} ms {figures}   {gain:.1f} ({low:.1f} to {high:.1f}) times as fast, goal {goal:g}", flush=True)
    return gain >= goal


def _batches(tasks: Stage, store: Any) -> Method:
    return lambda payments: list(tasks.enrich_batched(payments, store, BATCH))


def _asynchronous(tasks: Stage, known: Bank, address: str, ms: int, in_memory: bool) -> Method:
    async def results(store: Any, payments: Sequence[Transaction]) -> list[Enriched]:
        return [each async for each in tasks.enrich_async(payments, store, CAPACITY, TIMEOUT_S)]

    async def from_postgres(payments: Sequence[Transaction]) -> list[Enriched]:
        async with AsyncPostgresStore(address) as store:
            return await results(AsyncDistant(store, ms / 1000), payments)

    if in_memory:
        return lambda payments: run(results(AsyncMemoryStore(known.rows, lambda key: ms / 1000), payments))
    return lambda payments: run(from_postgres(payments))


def _in_turns(
    methods: dict[str, tuple[int, Method]], payments: list[Transaction], turns: int
) -> tuple[list[float], dict[str, list[float]]]:
    """Return the ratio of each turn and the rates in payments/s; the first turn warms up and does not count."""
    rates: dict[str, list[float]] = {name: [] for name in methods}
    for turn in range(-1, turns):
        results = {}
        for name in list(methods) if turn % 2 else reversed(methods):
            count, method = methods[name]
            began_s = time.perf_counter()
            results[name] = method(payments[:count])
            if turn >= 0:
                rates[name].append(count / (time.perf_counter() - began_s))
        assert (len(results["other"]), results["other"][:FEW]) == (MANY, results["sync"]), "different results"
    return [fast / slow for slow, fast in zip(rates["sync"], rates["other"], strict=True)], rates


def _caches(new_cache: Any, turns: int, lookups: int) -> bool:
    weights = [1 / (rank + 1) for rank in range(DISTINCT)]
    keys = Random("caches").choices(range(DISTINCT), weights, k=lookups)
    microseconds: dict[str, list[float]] = {"functools.lru_cache": [], "LruCache": []}
    for turn in range(turns):
        hits = {}
        timed = {"functools.lru_cache": lambda: _hits_of_peer(keys)}
        timed["LruCache"] = lambda: _hits(new_cache(ENTRIES), keys)
        for name in list(timed) if turn % 2 else reversed(timed):
            took_s, hits[name] = timed[name]()
            microseconds[name].append(1e6 * took_s / lookups)
        assert len(set(hits.values())) == 1, f"different hits: {hits}"
    ratios = [own / peer for peer, own in zip(*microseconds.values(), strict=True)]
    low, high = interval(ratios)
    medians = ", ".join(f"{name} {median(each):.2f} µs" for name, each in microseconds.items())
    cost = median(ratios)
    print(f"a lookup: {medians}   {cost:.1f} ({low:.1f} to {high:.1f}) times as long, goal at most {AT_MOST:g}")
    return cost <= AT_MOST


def _hits_of_peer(keys: list[int]) -> tuple[float, int]:
    cached = lru_cache(ENTRIES)(lambda key: key)
    began_s = time.perf_counter()
    for key in keys:
        cached(key)
    return time.perf_counter() - began_s, cached.cache_info().hits


def _hits(cache: Any, keys: list[int]) -> tuple[float, int]:
    began_s = time.perf_counter()
    for key in keys:
        if cache.get(key) is None:
            cache.put(key, key)
    return time.perf_counter() - began_s, cache.hits


if __name__ == "__main__":
    sys.exit(main())
