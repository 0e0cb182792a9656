"""External services, such as the containers of the Docker environment, and the ports of our own."""

import os
import socket

import pytest

from streamlab.services import ServiceError, service
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.ports import HOST, free_ports, why_not_free


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_KAFKA", raising=False)


def test_the_environment_variable_gives_host_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    assert external_service("kafka") is None

    monkeypatch.setenv("STREAMLAB_KAFKA", "kafka:9092")
    assert external_service("kafka") == ExternalService("kafka", "kafka", 9092)


@pytest.mark.parametrize("named", ["kafka", "kafka:", ":9092", "kafka:port", "kafka:0", "kafka:65536"])
def test_an_invalid_address_is_rejected(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("STREAMLAB_KAFKA", named)

    with pytest.raises(ServiceError, match=f"STREAMLAB_KAFKA must be host:port, for example kafka:9092; got '{named}'"):
        external_service("kafka")


def test_service_returns_the_external_service_if_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("STREAMLAB_KAFKA", f"127.0.0.1:{server.getsockname()[1]}")

        assert service("kafka").address == f"127.0.0.1:{server.getsockname()[1]}"


def test_service_raises_if_the_external_service_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("STREAMLAB_KAFKA", f"127.0.0.1:{port}")

    with pytest.raises(ServiceError, match=f"kafka does not answer at 127.0.0.1:{port}, where it should run"):
        service("kafka")


def test_free_ports_are_free_and_unique() -> None:
    ports = free_ports(20)

    assert len(set(ports)) == 20
    assert [why_not_free(port) for port in ports] == [None] * 20


@pytest.mark.parametrize("host", [HOST, ""])
def test_a_port_in_use_is_reported_with_its_process(host: str) -> None:
    with socket.create_server((host, 0)) as server:
        port = server.getsockname()[1]

        problem = why_not_free(port)

    assert problem is not None
    assert f"port {port} is taken by pid {os.getpid()}" in problem


def test_a_port_with_recently_closed_connections_is_free() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection((HOST, port))
        served, _ = server.accept()
        served.close()  # the side that closes first keeps the socket in TIME_WAIT
        client.close()

    assert why_not_free(port) is None
