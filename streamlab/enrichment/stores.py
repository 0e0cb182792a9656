"""What a store is: rows by key, for clients that block and for clients that do not; and stores at a distance.

A database beside its client answers in 50 µs, and a client that does not block then loses more time than it saves.
`Distant` and `AsyncDistant` make each call take a given time longer, as a database in another rack (1 ms) or another
data centre (5 ms) would.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Protocol

from streamlab.enrichment.events import Key


class Store(Protocol):
    """Answers while its caller waits. Both methods raise StoreError."""

    def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""


class AsyncStore(Protocol):
    """Answers while its caller does something else. Both methods raise StoreError."""

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""


class Distant:
    """The same store, each call of which takes `distance_s` longer.

    Raises ValueError if `distance_s` is negative.
    Example: Distant(PostgresStore(address), distance_s=0.005)
    """

    def __init__(self, store: Store, distance_s: float, sleep: Callable[[float], object] = time.sleep) -> None:
        self._store, self.distance_s, self._sleep = store, not_negative(distance_s), sleep

    def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        self._travel()
        return self._store.get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""
        self._travel()
        return self._store.get_many(keys)

    def _travel(self) -> None:
        if self.distance_s:
            self._sleep(self.distance_s)


class AsyncDistant:
    """The same for a store that does not block; other calls go on meanwhile.

    Example: AsyncDistant(store, distance_s=0.001)
    """

    def __init__(self, store: AsyncStore, distance_s: float) -> None:
        self._store, self.distance_s = store, not_negative(distance_s)

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        await self._travel()
        return await self._store.get(key)

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""
        await self._travel()
        return await self._store.get_many(keys)

    async def _travel(self) -> None:
        if self.distance_s:
            await asyncio.sleep(self.distance_s)


def not_negative(distance_s: float) -> float:
    """Return a distance; raises ValueError if it is negative."""
    if not distance_s >= 0:
        raise ValueError(f"distance_s must be 0 or more seconds, got {distance_s}")
    return distance_s
