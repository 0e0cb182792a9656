"""Payments per second at a distance: real PostgreSQL, Cassandra and Valkey, and methods that lose payments."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab06_enrichment.experiments import distance
from streamlab.lab06_enrichment.experiments.distance import NAMES, address_if_up, rates, rates_by_database, shared_rates
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.postgres_rows import AsyncPostgresStore, PostgresStore
from streamlab.services import running
from streamlab.services.base import Service
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import cassandra_jars, server_programs

for module in "psycopg", "asyncpg", "redis", "pandas":
    server_programs(module)

BANK = bank("distance", accounts=50)
COUNT = 150
INFINITE = float("inf")


@pytest.fixture
def tasks() -> Any:
    return reference("lab06_enrichment")


@pytest.fixture(autouse=True)
def few_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance, "FEW", 20)
    monkeypatch.setattr(distance, "CLIENTS", {name: (*both, COUNT) for name, (*both, _) in distance.CLIENTS.items()})


def test_a_blocking_client_stays_below_its_bound(tasks: Any, postgres: Service) -> None:
    near, far = rates_by_database(tasks, BANK, {"postgres": postgres.address}, [0, 5])

    assert (near[:2], far[:2]) == (("postgres", 0), ("postgres", 5))
    assert len(near) == len(far) == 2 + len(NAMES)
    sync, without_waiting, cached, batch, bound = far[2:]
    assert (near[-1], round(bound, 1)) == (INFINITE, 66.7)
    assert 0 < sync < bound  # holds on any machine; by how much the others are faster depends on its load
    assert min(without_waiting, cached, batch) > 0


def test_the_shared_cache_is_measured_at_each_distance(
    tasks: Any, valkey: Service, postgres: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distance, "MANY", COUNT)
    found = shared_rates(tasks.enrich_batched, tasks.SharedCache, BANK, postgres.address, valkey.address, [0, 1])

    assert [row[0] for row in found] == [0, 1]
    assert min(min(row[1:]) for row in found) > 0


@pytest.mark.slow
def test_cassandra_has_rows_in_the_same_table(tasks: Any, postgres: Service) -> None:
    server_programs("cassandra.cluster")
    cassandra_jars()
    with running("cassandra") as node:
        databases = {"postgres": postgres.address, "cassandra": node.address}
        found = rates_by_database(tasks, BANK, databases, [5])

    assert [row[:2] for row in found] == [("postgres", 5), ("cassandra", 5)]
    sync, without_waiting, cached, batch, bound = found[1][2:]
    assert 0 < sync < bound
    assert min(without_waiting, cached, batch) > 0


@pytest.mark.parametrize("name", ["enrich_sync", "enrich_batched", "enrich_async"])
def test_a_method_that_loses_payments_raises_runtime_error(name: str, tasks: Any, postgres: Service) -> None:
    store = PostgresStore(postgres.address)
    store.fill(BANK.rows)
    losing: dict[str, Callable[..., Any]] = {
        "enrich_sync": lambda payments, *_: iter(payments[1:]),
        "enrich_batched": lambda payments, *_: iter(payments[1:]),
        "enrich_async": nothing,
    }

    with tasks.replaced(**{name: losing[name]}), pytest.raises(RuntimeError, match="payments to come out, got"):
        rates(tasks, BANK, store, partial(AsyncPostgresStore, postgres.address), [1], COUNT)
    store.close()


async def nothing(*_: object) -> Any:
    for payment in ():
        yield payment


def test_an_external_service_has_its_address_and_a_stopped_one_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: Service
) -> None:
    monkeypatch.setenv("STREAMLAB_POSTGRES", postgres.address)
    monkeypatch.setenv("STREAMLAB_SERVICES", str(tmp_path))

    assert address_if_up("postgres") == {"postgres": postgres.address}
    assert address_if_up("cassandra") == {}
