"""The interfaces of a store (rows by key), for blocking and for asynchronous clients, and stores at a distance.

A database on the same machine as its client answers in 50 µs, and then an asynchronous client loses more time than it
saves. `Distant` and `AsyncDistant` make each call take a given time longer, as it would with a database in another rack
(1 ms) or another data centre (5 ms).
"""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Protocol

from streamlab.lab06_enrichment.events import Key


class Store(Protocol):
    """A store that blocks its caller until it answers. Both methods raise StoreError."""

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""


class AsyncStore(Protocol):
    """A store that does not block: other tasks run while it answers. Both methods raise StoreError."""

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""


class Distant:
    """A store whose calls take `distance_s` longer than those of `store`.

    Raises ValueError if `distance_s` is negative.
    Example: Distant(PostgresStore(address), distance_s=0.005)
    """

    def __init__(self, store: Store, distance_s: float, sleep: Callable[[float], object] = time.sleep) -> None:
        self._store, self.distance_s, self._sleep = store, not_negative(distance_s), sleep

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        self._travel()
        return self._store.get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""
        self._travel()
        return self._store.get_many(keys)

    def _travel(self) -> None:
        if self.distance_s:
            self._sleep(self.distance_s)


class AsyncDistant:
    """The same for a store that does not block; other calls continue meanwhile.

    Example: AsyncDistant(store, distance_s=0.001)
    """

    def __init__(self, store: AsyncStore, distance_s: float) -> None:
        self._store, self.distance_s = store, not_negative(distance_s)

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        await self._travel()
        return await self._store.get(key)

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""
        await self._travel()
        return await self._store.get_many(keys)

    async def _travel(self) -> None:
        if self.distance_s:
            await asyncio.sleep(self.distance_s)


def not_negative(distance_s: float) -> float:
    """Return the given distance; raises ValueError if it is negative."""
    if not distance_s >= 0:
        raise ValueError(f"distance_s must be 0 or more seconds, got {distance_s}")
    return distance_s
