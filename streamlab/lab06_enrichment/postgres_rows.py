"""Reference rows in PostgreSQL: a blocking client (psycopg) and an asynchronous one (asyncpg).

Errors of the drivers become StoreErrors. Wrap a store in `Distant` or `AsyncDistant` (the module `stores`) to make
its database seem further away.
"""

import logging
from collections.abc import Collection, Mapping
from typing import Any, Self

from streamlab.lab06_enrichment.events import Key, StoreError
from streamlab.services.postgres import DATABASE, USER

TABLE = """create table known (kind text, account text, item text, name text not null,
                               primary key (kind, account, item))"""
ONE = "select name from known where kind = {} and account = {} and item = {}"
MANY = """select kind, account, item, name from known
          join unnest({}::text[], {}::text[], {}::text[]) as asked (kind, account, item) using (kind, account, item)"""
WITH_PSYCOPG, WITH_ASYNCPG = ("%s", "%s", "%s"), ("$1", "$2", "$3")


class PostgresStore:
    """One connection to host:port, one call at a time; `close()` ends it. Raises StoreError."""

    def __init__(self, address: str) -> None:
        import psycopg

        self._address, self._errors, self._connect = address, psycopg.Error, psycopg.connect
        self._connection = self._connected()

    def fill(self, rows: Mapping[Key, str]) -> None:
        """Replace all rows with `rows`."""
        self._connection.execute("drop table if exists known")
        self._connection.execute(TABLE)
        with self._connection.cursor().copy("copy known from stdin") as copy:
            for key, name in rows.items():
                copy.write_row((*key, name))

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        found = self._fetch(ONE.format(*WITH_PSYCOPG), key)
        return found[0][0] if found else None

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""
        columns = [list(column) for column in zip(*keys, strict=True)] or [[], [], []]
        return {Key(*row[:3]): row[3] for row in self._fetch(MANY.format(*WITH_PSYCOPG), columns)}

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def _connected(self) -> Any:
        host, port = self._address.rsplit(":", 1)
        try:
            return self._connect(f"host={host} port={port} user={USER} dbname={DATABASE}", autocommit=True)
        except self._errors as problem:
            raise self._failure(problem) from None

    def _fetch(self, query: str, values: Any) -> list[tuple[str, ...]]:
        if self._connection.closed:  # the server was unreachable for a while
            self._connection = self._connected()
        try:
            return self._connection.execute(query, values).fetchall()
        except self._errors as problem:
            raise self._failure(problem) from None

    def _failure(self, problem: Exception) -> StoreError:
        return StoreError(f"postgres at {self._address}: {type(problem).__name__}")


class AsyncPostgresStore:
    """A pool of up to `connections`, opened on demand; further calls wait for a free one. Raises StoreError.

    Example: async with AsyncPostgresStore(address) as store: await store.get(key)
    """

    def __init__(self, address: str, connections: int = 4) -> None:
        self._address, self._connections = address, connections

    async def __aenter__(self) -> Self:
        import asyncpg

        logging.getLogger("asyncpg").setLevel(logging.CRITICAL)  # it prints tracebacks while a server is unreachable
        host, port = self._address.rsplit(":", 1)
        server = {"host": host, "port": int(port), "user": USER, "database": DATABASE}
        self._pool = await asyncpg.create_pool(**server, min_size=0, max_size=self._connections)
        # asyncpg raises InternalClientError if a connection is lost just before it goes back to the pool.
        self._errors = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pool.terminate()  # close() waits for a server that hangs

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        found = await self._fetch(ONE.format(*WITH_ASYNCPG), key)
        return found[0][0] if found else None

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys, in one round trip."""
        columns = [list(column) for column in zip(*keys, strict=True)] or [[], [], []]
        return {Key(*row[:3]): row[3] for row in await self._fetch(MANY.format(*WITH_ASYNCPG), columns)}

    async def _fetch(self, query: str, values: Any) -> list[Any]:
        try:
            return await self._pool.fetch(query, *values)
        except self._errors as problem:
            raise StoreError(f"postgres at {self._address}: {type(problem).__name__}") from None
