"""What Python workers of Spark need: objects that outlive a task, and async results for code that is not async."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any, TypeVar

from streamlab.enrichment.loops import beside_any_loop

Item = TypeVar("Item")
_kept: dict[str, Any] = {}


def per_worker(name: str, make: Callable[[], Item]) -> Item:
    """Return what `make` made at the first call for `name` in this process.

    A worker runs tasks of any partition, one after the other, so such an object is not one partition's.

    Example: per_worker("cache", lambda: LruCache(entries=3000))
    """
    if name not in _kept:
        _kept[name] = make()
    kept: Item = _kept[name]
    return kept


def in_turn(results: AsyncGenerator[Item, None]) -> Iterator[Item]:
    """Yield the items of an async generator one by one, also where a loop already runs, as in a notebook.

    Closing the iterator closes the generator.

    Example: rdd.mapPartitions(lambda events: in_turn(enrich_async(events, store, 50, 1.0)))
    """
    end = object()

    async def step() -> Any:
        return await anext(results, end)

    runner = asyncio.Runner()
    with beside_any_loop() as call:
        try:
            while (item := call(runner.run, step())) is not end:
                yield item
        finally:
            call(runner.run, _closed(results))
            call(runner.close)


async def _closed(results: AsyncGenerator[Any, None]) -> None:
    await results.aclose()
