"""Reference rows in Apache Cassandra: a blocking client and an asynchronous one, both with its Python driver.

Errors of the driver become StoreErrors. `Distant` and `AsyncDistant` (streamlab.lab06_enrichment.stores) add distance.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any, Self

from streamlab.lab06_enrichment.events import Key, StoreError

REPLICAS = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
TABLE = """create table if not exists known (kind text, account text, item text, name text,
                                             primary key ((kind, account), item))"""
ONE = "select name from known where kind = ? and account = ? and item = ?"
PUT = "insert into known (kind, account, item, name) values (?, ?, ?, ?)"
CONCURRENT_INSERTS = 64


class CassandraStore:
    """One session with the node at host:port; `close()` ends it. Raises StoreError."""

    def __init__(self, address: str) -> None:
        from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
        from cassandra.policies import RoundRobinPolicy

        self._address = address
        host, port = address.rsplit(":", 1)
        profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy(), request_timeout=10.0)
        self._cluster = Cluster([host], port=int(port), execution_profiles={EXEC_PROFILE_DEFAULT: profile})
        self._session = self._cluster.connect()
        self._session.execute(f"create keyspace if not exists lab with replication = {REPLICAS}")
        self._session.set_keyspace("lab")
        self._session.execute(TABLE)
        self._one, self._put = self._session.prepare(ONE), self._session.prepare(PUT)

    def fill(self, rows: Mapping[Key, str]) -> None:
        """Replace all rows with `rows`."""
        from cassandra.concurrent import execute_concurrent_with_args

        self._session.execute("truncate known")
        inserts = [(*key, name) for key, name in rows.items()]
        execute_concurrent_with_args(self._session, self._put, inserts, CONCURRENT_INSERTS)

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, with one concurrent query per key, since Cassandra has no joins."""
        requests = [(key, self._session.execute_async(self._one, key)) for key in keys]
        try:
            answers = [(key, future.result().one()) for key, future in requests]
        except Exception as problem:
            raise StoreError(f"cassandra at {self._address}: {type(problem).__name__}") from None
        return {key: row.name for key, row in answers if row is not None}

    def close(self) -> None:
        """End the session."""
        self._cluster.shutdown()


class AsyncCassandraStore:
    """The same without blocking: answers arrive in a thread of the driver, which passes them to the event loop."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def __aenter__(self) -> Self:
        self._blocking = await asyncio.to_thread(CassandraStore, self._address)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._blocking.close)

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def finish(setter: Callable[[Any], None], value: Any) -> None:
            loop.call_soon_threadsafe(lambda: None if answer.done() else setter(value))

        request = self._blocking._session.execute_async(self._blocking._one, key)
        request.add_callbacks(
            lambda rows: finish(answer.set_result, rows), lambda error: finish(answer.set_exception, error)
        )
        try:
            found = await answer
        except Exception as problem:
            raise StoreError(f"cassandra at {self._address}: {type(problem).__name__}") from None
        return found[0].name if found else None

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, with one concurrent query per key."""
        key_list = list(keys)
        rows = await asyncio.gather(*(self.get(key) for key in key_list))
        return {key: row for key, row in zip(key_list, rows, strict=True) if row is not None}
