"""Stores in a dictionary that record their calls, for tests and drives.

`MemoryStore` blocks and advances its own clock. `AsyncMemoryStore` sleeps on the event loop that runs it, which may be
a virtual one (streamlab.lab06_enrichment.virtual_time), and records how many calls were open at once.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping

from streamlab.lab06_enrichment.events import Key, StoreError


class MemoryStore:
    """A blocking store: `calls` holds the keys of each call, and each call adds `distance_s` to `now_s`.

    `rows` may change between calls.
    """

    def __init__(self, rows: Mapping[Key, str], distance_s: float = 0.001) -> None:
        self.rows, self.distance_s, self.now_s = rows, distance_s, 0.0
        self.calls: list[list[Key]] = []

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys."""
        self.calls.append(list(keys))
        self.now_s += self.distance_s
        return {key: self.rows[key] for key in keys if key in self.rows}


class AsyncMemoryStore:
    """A store that does not block. A call for a key takes `distance_s(key)`, and then raises `fails(key)` unless None.

    `calls` holds the keys of each call, `most_in_flight` the most calls open at once, and `cancelled` the number of
    calls that their callers cancelled.
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
        """Return the row of one key, or None if the key is unknown."""
        return (await self.get_many([key])).get(key)

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys; the call takes as long as its slowest key."""
        key_list = list(keys)
        self.calls.append(key_list)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(max((self._distance_s(key) for key in key_list), default=0.0))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.in_flight -= 1
        if problem := next(filter(None, map(self._fails, key_list)), None):
            raise problem
        return {key: self.rows[key] for key in key_list if key in self.rows}


def never_answers(key: Key) -> StoreError:
    """Return a failure for every key.

    Example: AsyncMemoryStore(rows, fails=never_answers)
    """
    return StoreError(f"no node holds {key}")
