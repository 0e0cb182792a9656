"""The accounts' limits in Valkey, and how a worker of Spark opens them: a cache, a breaker, a client."""

import json
import os
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from streamlab.lab06_enrichment import NO_ANSWER, StoreError
from streamlab.lab09_system.live.settings import HELD_WORKER, HOLD_WORKER
from streamlab.sources.whole_files import write_whole

TIME_OUT_S = 0.1
LOADED = "loaded"  # this key says that all rows are there
ENTRIES = 10_000  # of the cache
TRIPS, REST_S = 2, 1.0  # of the breaker


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
        found = {key: self.cache.get(key, missing) for key in keys}
        new = self.guarded.get_many([key for key, row in found.items() if row is missing])
        for key, row in new.items():
            if row is not NO_ANSWER:
                self.cache.put(key, row)
        return found | new


class WorkersStore:
    """The store of one worker. It notes the cache's hits in `folder`, and is where a worker can be held and killed."""

    def __init__(self, cached: CachedStore, folder: Path) -> None:
        self._cached, self._folder = cached, folder

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        """Return what the cached store returns."""
        self._wait_while_held()
        answers = self._cached.get_many(keys)
        cache, breaker = self._cached.cache, self._cached.guarded.state
        noted = {"hits": cache.hits, "misses": cache.misses, "breaker": breaker}
        write_whole(self._folder / "workers" / f"{os.getpid()}.json", json.dumps(noted))
        return answers

    def _wait_while_held(self) -> None:
        hold = self._folder / HOLD_WORKER
        if not hold.exists():
            return
        try:
            with open(self._folder / HELD_WORKER, "x") as held:
                held.write(str(os.getpid()))
        except FileExistsError:  # another worker is to be killed
            pass
        while hold.exists():
            time.sleep(0.01)


def store_opener(address: str, breaker: Any, cache: Any, folder: Path, ttl_s: float) -> Callable[[], WorkersStore]:
    """Return the function that opens the store in a worker; `breaker` and `cache` are GuardedStore and LruCache."""

    def open_store() -> WorkersStore:
        guarded = breaker(ValkeyRows(address), TRIPS, REST_S, time.monotonic)
        return WorkersStore(CachedStore(guarded, cache(ENTRIES, ttl_s)), folder)

    return open_store


def load(address: str, limits: Mapping[str, int]) -> None:
    """Load all rows, and then the key that says so."""
    client = _client(address, socket_timeout=10.0)
    client.mset({_row_key(account): limit for account, limit in limits.items()})
    client.set(LOADED, 1)
    client.close()


def probe(address: str) -> tuple[int, bool]:
    """Return the ms that one look into the store takes, and whether it answered."""
    began = time.monotonic()
    try:
        ValkeyRows(address).get_many(["probe"])
        is_up = True
    except StoreError:
        is_up = False
    return round(1000 * (time.monotonic() - began)), is_up


def _row_key(key: str) -> str:
    return f"limit/{key}"


def _client(address: str, **settings: Any) -> Any:
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    host, port = address.split(":")
    limits = {"socket_timeout": TIME_OUT_S, "socket_connect_timeout": TIME_OUT_S, "retry": Retry(NoBackoff(), 0)}
    return redis.Redis(host=host, port=int(port), **{**limits, **settings})
