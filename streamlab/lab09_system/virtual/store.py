"""The virtual store of limits, and how an instance asks it: the cache first, then the guarded store."""

from collections.abc import Callable, Iterable
from itertools import accumulate
from random import Random
from typing import Any

from streamlab.lab09_system import NO_ANSWER, StoreError

ACCOUNTS = 200  # of each partition; the account of rank r pays 1/r as often as the first one
CALLS_PER_S, ACCOUNTS_PER_CALL = 10, 8
TIME_OUT_S, CACHE_TTL_S = 0.1, 30.0
CACHE_ROWS = 1_000
FREQUENCIES = list(accumulate(1 / rank for rank in range(1, ACCOUNTS + 1)))


class VirtualStore:
    """A store that answers unless `is_down()`. `calls` and `errors` count."""

    def __init__(self, is_down: Callable[[], bool]) -> None:
        self._is_down = is_down
        self.calls = self.errors = 0

    def get_many(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the limit of each account. Raises StoreError while the store is down."""
        self.calls += 1
        if self._is_down():
            self.errors += 1
            raise StoreError("no answer in time")
        return dict.fromkeys(keys, "100")


class Limits:
    """How one instance learns limits: `guard` is its GuardedStore, `cache` its LruCache."""

    def __init__(self, guard: Any, cache: Any, rng: Random) -> None:
        self.guard, self.cache, self._rng = guard, cache, rng
        self.hits = self.asked = 0

    def ask(self, partitions: list[int]) -> list[bool]:
        """Ask for the accounts of one micro-batch of these partitions; return for each one whether it has an answer."""
        ranks = self._rng.choices(range(ACCOUNTS), cum_weights=FREQUENCIES, k=ACCOUNTS_PER_CALL)
        keys = [f"{self._rng.choice(partitions)}/{rank}" for rank in ranks]
        known = {key: self.cache.get(key, NO_ANSWER) for key in dict.fromkeys(keys)}
        missing = [key for key, row in known.items() if row is NO_ANSWER]
        self.asked, self.hits = self.asked + len(known), self.hits + len(known) - len(missing)
        found = self.guard.get_many(missing) if missing else {}
        for key, row in found.items():
            if row is not NO_ANSWER:
                self.cache.put(key, row)
        known.update(found)
        return [known[key] is not NO_ANSWER for key in keys]
