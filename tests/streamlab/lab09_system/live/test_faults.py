"""A fault of a server that runs elsewhere is not injected; the answer says how to do it."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab09_system.live.faults import why_not
from streamlab.lab09_system.live.system import services_of_the_cluster


def test_in_docker_the_broker_is_the_environments_and_the_store_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        for name in ("KAFKA", "REDIS"):
            monkeypatch.setenv(f"STREAMLAB_{name}", f"127.0.0.1:{server.getsockname()[1]}")
        services: Any = services_of_the_cluster()
    system: Any = SimpleNamespace(services=services)

    assert list(services) == ["kafka"]
    assert (why_not(system, "broker") or "").endswith(
        "docker compose -f docker/compose.yml exec kafka bash -c 'kill -9 -1'"
    )
    assert why_not(system, "store-killed") is None


def test_a_broker_that_the_system_started_can_be_killed() -> None:
    system: Any = SimpleNamespace(services={"kafka": object()})

    assert why_not(system, "broker") is None
