"""`enrich_async` while PostgreSQL is killed with kill -9 and restarted: no payment is flagged UNKNOWN by mistake."""

import asyncio
from collections.abc import Iterator

from streamlab.lab06_enrichment import KINDS, Enriched, Transaction, enriched
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.services import running
from streamlab.services.base import Service
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

for module in "psycopg", "asyncpg", "redis", "pandas":
    server_programs(module)

LAB = "lab06_enrichment"
PAYMENTS, KILLED_BEFORE, STARTED_BEFORE, CAPACITY, TIMEOUT_S = 240, 80, 160, 8, 5.0
BANK = bank("killed", accounts=20)
NOTHING_KNOWN = tuple(f"NO_ANSWER_{kind.upper()}" for kind in KINDS)


def payments_with_outage(server: Service) -> Iterator[Transaction]:
    """Yield the payments; kill the server before one of them, and restart it before a later one."""
    for number, payment in enumerate(BANK.payments(PAYMENTS)):
        if number == KILLED_BEFORE:
            server.kill()
        if number == STARTED_BEFORE:
            server.start()
        yield payment


async def enrich_during_outage(server: Service) -> list[Enriched]:
    async with AsyncPostgresStore(server.address) as store:
        results = reference(LAB).enrich_async(payments_with_outage(server), store, CAPACITY, TIMEOUT_S)
        return [each async for each in results]


def test_payments_have_no_answer_only_while_the_database_is_down() -> None:
    right = [enriched(each, [BANK.rows.get(key) for key in each.keys]) for each in BANK.payments(PAYMENTS)]

    with running("postgres") as server:
        store = PostgresStore(server.address)
        store.fill(BANK.rows)
        store.close()
        found = asyncio.run(enrich_during_outage(server))

    down = found[KILLED_BEFORE + CAPACITY : STARTED_BEFORE - CAPACITY]
    assert [each.transaction for each in found] == [each.transaction for each in right]
    assert found[: KILLED_BEFORE - CAPACITY] == right[: KILLED_BEFORE - CAPACITY]
    assert {(each.rows, each.flags) for each in down} == {((None, None, None), NOTHING_KNOWN)}
    assert found[STARTED_BEFORE:] == right[STARTED_BEFORE:]
    assert all(at_the_kill_or_right(*each) for each in zip(found, right, strict=True))


def at_the_kill_or_right(found: Enriched, right: Enriched) -> bool:
    """Return whether each lookup has the right row and flag, or no answer."""
    silent = [f"NO_ANSWER_{kind.upper()}" in found.flags for kind in KINDS]
    kept = [row for row, none in zip(right.rows, silent, strict=True) if not none]
    unknown = {flag for flag in found.flags if flag.startswith("UNKNOWN")}
    return [row for row, none in zip(found.rows, silent, strict=True) if not none] == kept and unknown <= {*right.flags}
