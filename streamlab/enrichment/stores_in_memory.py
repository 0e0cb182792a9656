"""Stores that are a dictionary, and write down what was asked and how many calls were open at once.

`MemoryStore` blocks and moves a clock that is its own; `AsyncMemoryStore` sleeps on the loop that runs it, which may be
a virtual one (streamlab.enrichment.virtual_time).
"""

import asyncio
from collections.abc import Callable, Collection, Mapping

from streamlab.enrichment.events import Key, StoreError


class MemoryStore:
    """`rows` may change between calls. `calls` holds the keys of each call; each adds `distance_s` to `now_s`."""

    def __init__(self, rows: Mapping[Key, str], distance_s: float = 0.001) -> None:
        self.rows, self.distance_s, self.now_s = rows, distance_s, 0.0
        self.calls: list[list[Key]] = []

    def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known."""
        self.calls.append(list(keys))
        self.now_s += self.distance_s
        return {key: self.rows[key] for key in keys if key in self.rows}


class AsyncMemoryStore:
    """`distance_s(key)` is how long a call for a key takes, `fails(key)` what it then raises, if anything.

    `calls` holds the keys of each call, `most_in_flight` the most calls open at once, `cancelled` counts those that
    their caller gave up.
    """

    def __init__(
        self,
        rows: Mapping[Key, str],
        distance_s: Callable[[Key], float] = lambda key: 0.001,
        fails: Callable[[Key], Exception | None] = lambda key: None,
    ) -> None:
        self.rows, self._distance_s, self._fails = rows, distance_s, fails
        self.calls: list[list[Key]] = []
        self.in_flight = self.most_in_flight = self.cancelled = 0

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        return (await self.get_many([key])).get(key)

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known; the call takes as long as its slowest key."""
        asked = list(keys)
        self.calls.append(asked)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(max((self._distance_s(key) for key in asked), default=0.0))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.in_flight -= 1
        if problem := next(filter(None, map(self._fails, asked)), None):
            raise problem
        return {key: self.rows[key] for key in asked if key in self.rows}


def never_answers(key: Key) -> StoreError:
    """Return a failure for every key.

    Example: AsyncMemoryStore(rows, fails=never_answers)
    """
    return StoreError(f"no node holds {key}")
