"""The reference as real processes: kill -9 of the leader and of a manager; and kazoo's results that it relies on."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from kazoo.exceptions import BadVersionError

from autograder.stages.lab05_placement.orchestrator.drive_rule import four_nodes
from streamlab import running
from streamlab.lab05_placement.experiments.take_over import take_over
from streamlab.lab05_placement.managers import Registry, sessions
from tests.autograder.stages.driven_reference import reference


@pytest.fixture(scope="module")
def zookeeper() -> Iterator[Any]:
    with running("zookeeper") as server:
        yield server


def test_the_cluster_heals_when_the_sessions_of_killed_processes_expire(zookeeper: Any) -> None:
    lab = reference("lab05_placement")

    took = take_over(lab.InstanceManager, lab.Orchestrator, four_nodes(), zookeeper.address, session_s=1.0)

    assert 0.2 < took.leader_s < 20
    assert 0.2 < took.manager_s < 20


def test_a_transaction_with_a_failed_check_writes_nothing_and_returns_the_error(zookeeper: Any) -> None:
    with sessions(zookeeper.address, 1) as (zk,):
        registry = Registry(zk, f"/cep-{uuid.uuid4().hex[:8]}")
        registry.prepare()
        version = zk.set(registry.path("epoch"), b"1").version
        zk.set(registry.path("epoch"), b"2")

        change = zk.transaction()
        change.check(registry.path("epoch"), version)
        change.create(registry.path("placements", "a"))
        results = change.commit()

        assert isinstance(results[0], BadVersionError)
        assert registry.names("placements") == []
