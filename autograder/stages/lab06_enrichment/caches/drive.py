"""Drives the caches within a process: an LruCache with a script, a CachedStore with callers in virtual time."""

import asyncio
import inspect
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab06_enrichment.clients.drive_payments import UnboundedCache, rows_of
from streamlab.lab06_enrichment import Key, StoreError
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore
from streamlab.lab06_enrichment.virtual_time import run_virtually

DEFAULT = "<the default>"


class Counted:
    """A key that counts how often it is compared. Its hash is that of its number."""

    compared = 0

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return isinstance(other, Counted) and self.number == other.number


@drive("LruCache")
def lru_cache(stage: Any, case: Any) -> Rows:
    """Return the result of each get, the counts at the end, and the most comparisons of one operation."""
    return or_rejected(lambda: _played(stage, case))


def _played(stage: Any, case: Any) -> Rows:
    times_s = [0.0]
    limits = {"ttl_s": float(case["ttl_s"])} if "ttl_s" in case else {}
    cache = stage.LruCache(case["entries"], clock=lambda: times_s[-1], **limits)
    gets, most = list[Any](), 0
    for now_s, name, number, *value in case["script"]:
        times_s.append(now_s)
        Counted.compared = 0
        if name == "put":
            cache.put(Counted(number), *value)
        else:
            gets.append(plain(cache.get(Counted(number), DEFAULT) if name == "get" else cache.get(Counted(number))))
        most = max(most, Counted.compared)
    counts = [plain(cache.hits), plain(cache.misses), len(cache)]
    return {"gets": gets, "counts": counts, "most_compared": most}


async def _callers(stage: Any, case: Any) -> Rows:
    loop = asyncio.get_running_loop()
    fails = {Key(*key): until_ms for *key, until_ms in case.get("fails", [])}
    slow_ms = {Key(*key): ms for *key, ms in case.get("delays_ms", [])}

    def problem(key: Key) -> Exception | None:
        return StoreError("planned") if 1000 * loop.time() <= fails.get(key, -1) else None

    store = AsyncMemoryStore(rows_of(case), lambda key: slow_ms.get(key, 5) / 1000, problem)
    cache = UnboundedCache({Key(*key): row for *key, row in case.get("kept", [])})
    cached = stage.CachedStore(store, cache)

    async def one(at_ms: int, key: list[str], patience_ms: int | None) -> list[Any]:
        await asyncio.sleep(at_ms / 1000)
        try:
            async with asyncio.timeout(patience_ms and patience_ms / 1000):
                answer = cached.get(Key(*key))
                row = await answer if inspect.isawaitable(answer) else answer
        except (TimeoutError, StoreError, asyncio.CancelledError) as error:
            row = f"<{type(error).__name__}>"
        return [plain(row), round(1e6 * loop.time())]

    answers = await asyncio.gather(*(one(*each) for each in case["callers"]))
    return {"answers": answers, "calls": [plain(list(key)) for keys in store.calls for key in keys]}


@drive("CachedStore")
def cached_store(stage: Any, case: Any) -> Rows:
    """Return each caller's answer and its time (µs), and the key of each call to the store; likewise for "beside"."""
    return run_virtually(_beside(stage, case))[0]


async def _beside(stage: Any, case: Any) -> Rows:
    every = [case, case["beside"]] if "beside" in case else [case]
    rows, *more = await asyncio.gather(*(_callers(stage, each) for each in every))
    return {**rows, "beside": more[0]} if more else rows
