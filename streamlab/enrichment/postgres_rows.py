"""Reference rows in PostgreSQL, for a client that blocks (psycopg) and for one that does not (asyncpg).

A driver's error is a StoreError. Put `Distant` or `AsyncDistant` (streamlab.enrichment.stores) around a store whose
database should seem further away.
"""

import logging
from collections.abc import Collection, Mapping
from typing import Any, Self

from streamlab.enrichment.events import Key, StoreError
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
        """Replace all rows by these."""
        self._connection.execute("drop table if exists known")
        self._connection.execute(TABLE)
        with self._connection.cursor().copy("copy known from stdin") as copy:
            for key, name in rows.items():
                copy.write_row((*key, name))

    def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        found = self._asked(ONE.format(*WITH_PSYCOPG), key)
        return found[0][0] if found else None

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""
        columns = [list(column) for column in zip(*keys, strict=True)] or [[], [], []]
        return {Key(*row[:3]): row[3] for row in self._asked(MANY.format(*WITH_PSYCOPG), columns)}

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def _connected(self) -> Any:
        host, port = self._address.rsplit(":", 1)
        try:
            return self._connect(f"host={host} port={port} user={USER} dbname={DATABASE}", autocommit=True)
        except self._errors as problem:
            raise self._failure(problem) from None

    def _asked(self, query: str, values: Any) -> list[tuple[str, ...]]:
        if self._connection.closed:  # since the server was gone for a while
            self._connection = self._connected()
        try:
            return self._connection.execute(query, values).fetchall()
        except self._errors as problem:
            raise self._failure(problem) from None

    def _failure(self, problem: Exception) -> StoreError:
        return StoreError(f"postgres at {self._address}: {type(problem).__name__}")


class AsyncPostgresStore:
    """Up to `connections`, opened when they are needed; calls beyond that wait for one. Raises StoreError.

    Example: async with AsyncPostgresStore(address) as store: await store.get(key)
    """

    def __init__(self, address: str, connections: int = 4) -> None:
        self._address, self._connections = address, connections

    async def __aenter__(self) -> Self:
        import asyncpg

        logging.getLogger("asyncpg").setLevel(logging.CRITICAL)  # it prints tracebacks while a server is gone
        host, port = self._address.rsplit(":", 1)
        place = {"host": host, "port": int(port), "user": USER, "database": DATABASE}
        self._pool = await asyncpg.create_pool(**place, min_size=0, max_size=self._connections)
        of_asyncpg = asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError
        self._errors = (*of_asyncpg, OSError)  # the third: when a connection is lost just before it is given back
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pool.terminate()  # close() waits for a server that hangs

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        found = await self._asked(ONE.format(*WITH_ASYNCPG), key)
        return found[0][0] if found else None

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known, in one round trip."""
        columns = [list(column) for column in zip(*keys, strict=True)] or [[], [], []]
        return {Key(*row[:3]): row[3] for row in await self._asked(MANY.format(*WITH_ASYNCPG), columns)}

    async def _asked(self, query: str, values: Any) -> list[Any]:
        try:
            return await self._pool.fetch(query, *values)
        except self._errors as problem:
            raise StoreError(f"postgres at {self._address}: {type(problem).__name__}") from None
