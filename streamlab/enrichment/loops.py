"""Event loops beside a loop that runs already, as a notebook's does: there, work runs in a thread of its own."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Return what `work` returns, as `asyncio.run` does, also where a loop runs already.

    Example: run(asyncio.sleep(0.01, "done")) -> "done"
    """
    with beside_any_loop() as call:
        result: Result = call(asyncio.run, work)
        return result


@contextmanager
def beside_any_loop() -> Iterator[Callable[..., Any]]:
    """Give a function that calls another one: here, or in one thread for all calls if a loop runs here."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        yield lambda function, *arguments: function(*arguments)
        return
    with ThreadPoolExecutor(1) as other:
        yield lambda function, *arguments: other.submit(function, *arguments).result()
