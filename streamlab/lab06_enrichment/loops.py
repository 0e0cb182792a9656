"""Event loops for code that may run inside another event loop, as in a notebook: there, work runs in a thread."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run `work` and return its result, as `asyncio.run` does, even where a loop already runs.

    Example: run(asyncio.sleep(0.01, "done")) -> "done"
    """
    with outside_running_loop() as call:
        result: Result = call(asyncio.run, work)
        return result


@contextmanager
def outside_running_loop() -> Iterator[Callable[..., Any]]:
    """Yield `call(function, *arguments)`: it calls here, or, if a loop runs here, in one thread for all calls."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        yield lambda function, *arguments: function(*arguments)
        return
    with ThreadPoolExecutor(1) as thread:
        yield lambda function, *arguments: thread.submit(function, *arguments).result()
