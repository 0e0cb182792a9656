"""Help for Spark's Python workers: objects that outlive a task, and async results for synchronous code."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any, TypeVar

from streamlab.lab06_enrichment.loops import outside_running_loop

Item = TypeVar("Item")
_objects: dict[str, Any] = {}


def per_worker(name: str, make: Callable[[], Item]) -> Item:
    """Return this process's object `name`, which `make` creates at the first call.

    A worker runs tasks of any partition, one after another, so such an object does not belong to one partition.

    Example: per_worker("cache", lambda: LruCache(entries=3000))
    """
    if name not in _objects:
        _objects[name] = make()
    item: Item = _objects[name]
    return item


def in_turn(results: AsyncGenerator[Item, None]) -> Iterator[Item]:
    """Yield the items of an async generator one by one, even where an event loop already runs, as in a notebook.

    Closing the iterator closes the generator.

    Example: rdd.mapPartitions(lambda events: in_turn(enrich_async(events, store, 50, 1.0)))
    """
    end = object()

    async def step() -> Any:
        return await anext(results, end)

    runner = asyncio.Runner()
    with outside_running_loop() as call:
        try:
            while (item := call(runner.run, step())) is not end:
                yield item
        finally:
            call(runner.run, _closed(results))
            call(runner.close)


async def _closed(results: AsyncGenerator[Any, None]) -> None:
    await results.aclose()
