"""Rows in a real PostgreSQL: both clients return the same answers, and a killed server raises StoreError."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from streamlab.lab06_enrichment import Key, StoreError
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.services import running
from streamlab.services.base import Service
from tests.streamlab.services.conftest import server_programs

server_programs("psycopg")
server_programs("asyncpg")
UNUSUAL = {Key("device", "a'b", 'x","y'): "", Key("device", "a", "'bx"): "größe", Key("device", "", ""): "of nobody"}


@pytest.fixture
def store(postgres: Service) -> Iterator[PostgresStore]:
    made = PostgresStore(postgres.address)
    yield made
    made.close()


def test_both_clients_return_the_rows_that_were_stored(postgres: Service, store: PostgresStore) -> None:
    rows = dict(bank("postgres", 40).rows)
    keys = Random(1).sample([*rows, *(Key("device", f"nobody{at}", "x") for at in range(100))], 200)
    expected = {key: rows[key] for key in keys if key in rows}
    store.fill(rows)

    async def without_blocking() -> tuple[list[str | None], dict[Key, str]]:
        async with AsyncPostgresStore(postgres.address) as other:
            return list(await asyncio.gather(*map(other.get, keys))), await other.get_many(keys)

    one_by_one, at_once = asyncio.run(without_blocking())
    assert [store.get(key) for key in keys] == one_by_one == [rows.get(key) for key in keys]
    assert store.get_many(keys) == at_once == expected
    assert store.get_many([]) == {}


def test_a_key_has_three_separate_parts_with_any_content(store: PostgresStore) -> None:
    store.fill(UNUSUAL)

    assert store.get_many([*UNUSUAL, Key("device", "a", "b"), Key("devicea", "", "'bx")]) == UNUSUAL


def test_a_killed_server_raises_store_error_until_it_is_back() -> None:
    known = Key("device", "ann", "phone")
    with running("postgres") as own:
        store = PostgresStore(own.address)
        store.fill({known: "1"})

        async def through_a_kill() -> list[object]:
            async with AsyncPostgresStore(own.address) as other:
                seen: list[object] = [store.get(known), await other.get(known)]
                own.kill()
                for ask in (lambda: asyncio.to_thread(store.get, known), lambda: other.get(known)):
                    try:
                        seen.append(await ask())
                    except StoreError as problem:
                        seen.append(str(problem).partition(":")[0])
                own.start()
                return [*seen, store.get(known), await other.get(known)]

        seen = asyncio.run(through_a_kill())
        store.close()

    assert seen == ["1", "1", "postgres at 127.0.0.1", "postgres at 127.0.0.1", "1", "1"]


def test_a_missing_server_raises_store_error() -> None:
    with pytest.raises(StoreError, match=r"postgres at 127\.0\.0\.1:1: OperationalError"):
        PostgresStore("127.0.0.1:1")
