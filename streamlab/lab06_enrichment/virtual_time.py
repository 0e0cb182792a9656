"""An event loop with a virtual clock: sleeping takes no time, and a deadlock raises at once.

`asyncio.sleep`, `timeout`, `wait_for`, `wait`, queues, semaphores and tasks work as usual. Durations are exact, so the
virtual time that passed shows how many lookups were open at once. Threads and sockets are not supported, since the loop
cannot know when they will wake a task.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from streamlab.lab06_enrichment.loops import outside_running_loop

Result = TypeVar("Result")


class Stuck(RuntimeError):
    """Every task waits, and no timer will wake one."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with the clock `now_s`, which jumps to the next timer when no task can continue."""

    def __init__(self) -> None:
        self.now_s = 0.0
        super().__init__(_JumpingSelector(self._jump))

    def time(self) -> float:
        """Return the virtual seconds since the loop was created."""
        return self.now_s

    def _jump(self) -> None:
        if not self._scheduled:  # type: ignore[attr-defined]
            raise Stuck("every task waits for another one, and no timer will wake any")
        self.now_s = self._scheduled[0].when()  # type: ignore[attr-defined]


class _JumpingSelector(selectors.SelectSelector):
    """Lets the clock jump where a loop would wait for sockets."""

    def __init__(self, jump: Callable[[], None]) -> None:
        super().__init__()
        self._jump = jump

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if not ready and timeout != 0:
            self._jump()
        return ready


def run_virtually(
    work: Coroutine[Any, Any, Result], new_loop: Callable[[], VirtualLoop] = VirtualLoop
) -> tuple[Result, float]:
    """Run `work` on a new loop; return its result and the virtual seconds that it took.

    Where a loop already runs, as in a notebook, `work` runs in a thread. Raises Stuck, and any exception of `work`.

    Example: run_virtually(asyncio.sleep(3600, "done")) -> ("done", 3600.0), at once
    """
    with outside_running_loop() as call:
        result: tuple[Result, float] = call(_run_on, new_loop, work)
        return result


def _run_on(new_loop: Callable[[], VirtualLoop], work: Coroutine[Any, Any, Result]) -> tuple[Result, float]:
    loop = new_loop()
    try:
        return loop.run_until_complete(work), loop.now_s
    finally:
        loop.run_until_complete(_cancel_all())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _cancel_all() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
