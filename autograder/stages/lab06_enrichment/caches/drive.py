"""Drives the caches within a process: an LruCache with a script, a CachedStore with callers in virtual time."""

import asyncio
import inspect
import math
from typing import Any

from autograder.inside import drive
from autograder.inside.counterparts import Ask
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab06_enrichment.clients.drive_outside import AsyncOutsideStore, run_outside
from autograder.stages.lab06_enrichment.clients.drive_payments import UnboundedCache
from streamlab.lab06_enrichment import Key, StoreError

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


class SmallCache(UnboundedCache):
    """A cache that keeps the entries that were put last."""

    def __init__(self, entries: float, kept: dict[Key, str | None]) -> None:
        super().__init__(kept)
        self._entries = entries

    def put(self, key: Any, row: Any) -> None:
        """Store a row in place of the oldest one, if the cache is full."""
        self._kept.pop(key, None)
        super().put(key, row)
        if len(self._kept) > self._entries:
            del self._kept[next(iter(self._kept))]


async def _got(cached: Any, key: Key, again: bool) -> Any:
    try:
        answer = cached.get(key)
        return await answer if inspect.isawaitable(answer) else answer
    except StoreError:
        if not again:
            raise
    return await _got(cached, key, again=False)


async def _callers(stage: Any, case: Any, ask: Ask, number: int) -> None:
    cache = SmallCache(case.get("entries", math.inf), {Key(*key): row for *key, row in case.get("kept", [])})
    cached = stage.CachedStore(AsyncOutsideStore(number), cache)

    async def one(caller: int, at_ms: int, key: list[str], patience_ms: int | None) -> None:
        await asyncio.sleep(at_ms / 1000)
        try:
            async with asyncio.timeout(patience_ms and patience_ms / 1000):
                row = await _got(cached, Key(*key), again=bool(case.get("again")))
        except (TimeoutError, StoreError, asyncio.CancelledError) as error:
            row = f"<{type(error).__name__}>"
        ask("got", number, caller, plain(row))

    await asyncio.gather(*(one(caller, *each) for caller, each in enumerate(case["callers"])))


@drive("CachedStore")
def cached_store(stage: Any, case: Any, outside: Ask) -> Rows:
    """Let the callers of a store ask, and those of the one "beside" at the same time."""
    return run_outside(_beside(stage, case, outside), outside)


async def _beside(stage: Any, case: Any, ask: Ask) -> None:
    every = [case, case["beside"]] if "beside" in case else [case]
    await asyncio.gather(*(_callers(stage, each, ask, number) for number, each in enumerate(every)))
