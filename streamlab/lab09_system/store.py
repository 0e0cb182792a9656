"""The accounts' limits in Valkey, and how a worker of Spark opens them: a cache, a breaker, a client."""

import time
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from streamlab.lab06_enrichment import NO_ANSWER, StoreError
from streamlab.lab09_system.live.workers import WorkersStore

TIME_OUT_S = 0.1
LOADED = "loaded"  # this key says that all rows are there
ENTRIES = 10_000  # of the cache
TRIPS, REST_S = 2, 1.0  # of the breaker
QUICK_MS = 10  # a tenth of the time-out, so that only a late look takes ten times as long as usual


class Answer(Enum):
    """How a look into the store ends: it answers, is late, or is not there or empty."""

    ANSWERS, LATE, FAILS = range(3)


class ValkeyRows:
    """Rows in Valkey by key, with a time-out of 0.1 s and no second attempt.

    A store that came back empty would call each account unknown, so it is an error unless the key "loaded" is there.
    """

    def __init__(self, address: str) -> None:
        self._client = _client(address, decode_responses=True)

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        """Return the rows of the known keys, in one round trip. Raises StoreError."""
        import redis

        keys = list(keys)
        try:
            loaded, *rows = self._client.mget([LOADED, *map(_row_key, keys)])
        except redis.RedisError as problem:
            raise StoreError(f"valkey: {problem}") from None
        if loaded is None:
            raise StoreError("valkey: its rows are not loaded")
        return {key: row for key, row in zip(keys, rows, strict=True) if row is not None}


class CachedStore:
    """A store behind a breaker, behind a cache of Lab 6: an open breaker does not hide what the cache remembers.

    NO_ANSWER is not remembered, so the breaker decides when the store is asked again.
    """

    def __init__(self, guarded: Any, cache: Any) -> None:
        self.guarded, self.cache = guarded, cache

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        """Return each key with its row, None (unknown) or NO_ANSWER; the breaker gets one call for all missing keys."""
        missing = object()
        looks = {key: self.cache.get(key, missing) for key in keys}
        found = {key: row for key, row in looks.items() if row is not missing}
        new = self.guarded.get_many([key for key in looks if key not in found])
        for key, row in new.items():
            if row is not NO_ANSWER:
                self.cache.put(key, row)
        return found | new


class CountedRows:
    """Rows of a store, with the number of calls to it (`calls`), and of those that it did not answer (`errors`)."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls = self.errors = 0

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        """Return the rows of the known keys. Raises what the store raises."""
        self.calls += 1
        try:
            rows: dict[str, str] = self._store.get_many(keys)
        except StoreError:
            self.errors += 1
            raise
        return rows


def store_opener(address: str, breaker: Any, cache: Any, folder: Path, ttl_s: float) -> Callable[[], WorkersStore]:
    """Return the function that opens the store in a worker; `breaker` and `cache` are GuardedStore and LruCache."""

    def open_store() -> WorkersStore:
        rows = CountedRows(ValkeyRows(address))
        guarded = breaker(rows, TRIPS, REST_S, time.monotonic)
        return WorkersStore(CachedStore(guarded, cache(ENTRIES, ttl_s)), rows, folder)

    return open_store


def load(address: str, limits: Mapping[str, int]) -> None:
    """Load all rows, and then the key that says so."""
    client = _client(address, socket_timeout=10.0)
    client.mset({_row_key(account): limit for account, limit in limits.items()})
    client.set(LOADED, 1)
    client.close()


def probe(address: str) -> tuple[int, Answer]:
    """Return the ms that one look into the store takes, at least QUICK_MS, and how the look ended."""
    import redis

    began, answer = time.monotonic(), Answer.ANSWERS
    try:
        with _client(address) as client:
            answer = Answer.ANSWERS if client.exists(LOADED) else Answer.FAILS
    except redis.TimeoutError:
        answer = Answer.LATE
    except redis.RedisError:
        answer = Answer.FAILS
    return max(QUICK_MS, round(1000 * (time.monotonic() - began))), answer


def _row_key(key: str) -> str:
    return f"limit/{key}"


def _client(address: str, **settings: Any) -> Any:
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    host, port = address.split(":")
    limits = {"socket_timeout": TIME_OUT_S, "socket_connect_timeout": TIME_OUT_S, "retry": Retry(NoBackoff(), 0)}
    return redis.Redis(host=host, port=int(port), **{**limits, **settings})
