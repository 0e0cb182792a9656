"""External services, such as the containers of the Docker environment."""

import socket

import pytest

from streamlab.services import ServiceError, service
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.ports import free_ports


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_KAFKA", raising=False)


def test_without_an_environment_variable_there_is_no_external_service() -> None:
    assert external_service("kafka") is None


def test_the_environment_variable_gives_host_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
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
