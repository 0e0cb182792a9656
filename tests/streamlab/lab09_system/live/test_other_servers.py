"""Servers that run elsewhere: a fault is not injected but explained, and a broker serves the next system."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab09_system.city import PARTITIONS, City
from streamlab.lab09_system.live.connector import Connector, delete_topics
from streamlab.lab09_system.live.faults import why_not
from streamlab.lab09_system.live.system import services_of_the_cluster
from streamlab.services.base import Service


def test_in_docker_the_broker_is_the_environments_and_the_store_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        for name in ("KAFKA", "REDIS"):
            monkeypatch.setenv(f"STREAMLAB_{name}", f"127.0.0.1:{server.getsockname()[1]}")
        services: Any = services_of_the_cluster()
    system: Any = SimpleNamespace(services=services)

    assert list(services) == ["kafka"]
    by_hand = "docker compose -f docker/compose.yml exec kafka bash -c 'kill -9 -1'"
    assert (why_not(system, "broker") or "").endswith(by_hand)
    assert why_not(system, "store-killed") is None


def test_a_broker_that_the_system_started_can_be_killed() -> None:
    system: Any = SimpleNamespace(services={"kafka": object()})

    assert why_not(system, "broker") is None


def test_a_broker_numbers_records_from_0_again_after_its_topics_are_deleted(kafka: Service) -> None:
    sent = []
    for _ in range(2):
        connector = Connector(kafka.address)
        connector.send(City("monday").fences())  # raises WrongOffset unless the first one gets the offset 0
        connector.close()
        delete_topics(kafka.address, [*PARTITIONS, "never-made"])
        sent.append(sum(connector.sent.values()))

    assert sent == [12, 12]
