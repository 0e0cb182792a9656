"""The work of a verification that warm sandboxes do: orders in a queue, side by side, the longest first.

Orders without Spark and services come first, while no sandbox has started Spark yet.
"""

import threading
from collections import Counter, defaultdict, deque
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

    `done` takes the outcomes, and may return further orders that have become necessary.
    """

    part: str
    version: Version
    done: Callable[[Driven], Iterable["Order"] | None]
    is_plain: bool
    seconds: float = 0.0


class Sandboxes:
    """Warm sandboxes side by side, kept from one batch of orders to the next; the end of the block closes them.

    `seconds` are those of each part, summed over the sandboxes.
    """

    def __init__(self, setting: Setting, count: int, on_progress: Callable[[str], None] = lambda text: None) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._sandboxes = [WarmSandbox(setting) for _ in range(max(1, count))]
        self._queue: deque[Order] = deque()
        self._pool = ThreadPoolExecutor(len(self._sandboxes))  # a sandbox ends with the thread that opened it
        self._on_progress, self._said_at = on_progress, monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for sandbox in self._sandboxes:
            sandbox.close()
        self._pool.shutdown()

    @property
    def opened(self) -> int:
        """How many sandboxes it took."""
        return sum(sandbox.opened for sandbox in self._sandboxes)

    def carry_out(self, orders: Iterable[Order]) -> None:
        """Drive all orders; `done` is called in the order in which they end."""
        self._queue.extend(sorted(orders, key=lambda order: (not order.is_plain, -order.seconds)))
        for ended in [self._pool.submit(self._take_turns, sandbox) for sandbox in self._sandboxes]:
            ended.result()

    def _take_turns(self, sandbox: WarmSandbox) -> None:
        """Drive orders in one sandbox until none is left; a fault leaves none for the other sandboxes either."""
        try:
            while (order := self._next()) is not None:
                began = monotonic()
                driven = sandbox.drive(order.version)
                with self._lock:
                    self._queue.extend(order.done(driven) or ())
                    self.seconds[order.part] += monotonic() - began
                    self._say()
        except BaseException:
            self._queue.clear()
            raise

    def _next(self) -> Order | None:
        with self._lock:
            return self._queue.popleft() if self._queue else None

    def _say(self) -> None:
        if monotonic() - self._said_at < PROGRESS_EVERY_S:
            return
        self._said_at = monotonic()
        left = ", ".join(f"{count} {part}" for part, count in Counter(each.part for each in self._queue).items())
        self._on_progress(f"versions left: {left or 'the last ones'}")
