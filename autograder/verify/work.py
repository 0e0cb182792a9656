"""Drive a verification's orders in parallel, in several warm sandboxes, the longest first.

Orders without Spark and services come first, before any sandbox has started Spark; then those that others wait for.
Ctrl-C ends the sandboxes and drops the orders that are left.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import Self

from autograder.judge.outcomes import Driven
from autograder.verify.warm_sandbox import Setting, Version, WarmSandbox

PROGRESS_EVERY_S = 5.0


@dataclass
class Order:
    """One version to drive; `part` is the part of the verification it belongs to.

    `done` takes the outcomes and may return further orders. `frees_others` means that such orders wait for this one.
    """

    part: str
    version: Version
    done: Callable[[Driven], Iterable["Order"] | None]
    is_plain: bool
    seconds: float = 0.0
    frees_others: bool = False

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """The sort key: orders with a lower rank come first."""
        return not self.is_plain, not self.frees_others, -self.seconds


class Sandboxes:
    """Several warm sandboxes that work in parallel; the end of the block stops and closes them, even while they work.

    `seconds` is the time of each part, summed over the sandboxes.
    """

    def __init__(self, setting: Setting, count: int, on_progress: Callable[[str], None] = lambda text: None) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._sandboxes = [WarmSandbox(setting) for _ in range(max(1, count))]
        self._queue: list[Order] = []
        self._is_stopped = False
        self._under_way = 0
        self._pool = ThreadPoolExecutor(len(self._sandboxes))  # a sandbox ends with the thread that opened it
        self._on_progress, self._reported_at = on_progress, monotonic()
        self._changed = threading.Condition()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped = True
        for sandbox in self._sandboxes:
            sandbox.stop()
        self._pool.shutdown()
        for sandbox in self._sandboxes:
            sandbox.close()

    @property
    def opened(self) -> int:
        """The number of sandboxes opened so far."""
        return sum(sandbox.opened for sandbox in self._sandboxes)

    def carry_out(self, orders: Iterable[Order]) -> None:
        """Drive all orders; `done` is called in the order in which they end."""
        self._add(orders)
        for ended in [self._pool.submit(self._take_turns, sandbox) for sandbox in self._sandboxes]:
            ended.result()

    def _add(self, orders: Iterable[Order]) -> None:
        self._queue = sorted([*self._queue, *orders], key=lambda order: order.rank)

    def _take_turns(self, sandbox: WarmSandbox) -> None:
        """Drive orders in one sandbox until none is left; an error empties the queue for the other sandboxes, too."""
        while (order := self._next()) is not None:
            began = monotonic()
            try:
                driven = sandbox.drive(order.version)
                with self._changed:
                    if further := order.done(driven):
                        self._add(further)
            except BaseException:
                with self._changed:
                    self._queue = []
                raise
            finally:
                with self._changed:
                    self.seconds[order.part] += monotonic() - began
                    self._under_way -= 1
                    self._changed.notify_all()
                    self._report_progress()

    def _next(self) -> Order | None:
        """Return the next order; None if the block has ended, or if the queue is empty and will stay empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or not self._under_way)
            if self._is_stopped or not self._queue:
                return None
            self._under_way += 1
            return self._queue.pop(0)

    def _report_progress(self) -> None:
        if monotonic() - self._reported_at < PROGRESS_EVERY_S:
            return
        self._reported_at = monotonic()
        left = ", ".join(f"{count} {part}" for part, count in Counter(each.part for each in self._queue).items())
        self._on_progress(f"versions left: {left or 'the last ones'}")
