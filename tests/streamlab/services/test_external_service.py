"""Services that somebody else runs, as the containers of the docker environment."""

import socket

import pytest

from streamlab.services import ServiceError, service
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.ports import free_ports


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_KAFKA", raising=False)


def test_without_a_name_in_the_environment_there_is_none() -> None:
    assert external_service("kafka") is None


def test_the_environment_names_host_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_KAFKA", "kafka:9092")

    assert external_service("kafka") == ExternalService("kafka", "kafka", 9092)


@pytest.mark.parametrize("named", ["kafka", "kafka:", ":9092", "kafka:port", "kafka:0", "kafka:65536"])
def test_what_is_no_address_is_rejected(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("STREAMLAB_KAFKA", named)

    with pytest.raises(ServiceError, match=f"STREAMLAB_KAFKA must be host:port, as kafka:9092; got '{named}'"):
        external_service("kafka")


def test_service_gives_the_one_that_is_named_if_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("STREAMLAB_KAFKA", f"127.0.0.1:{server.getsockname()[1]}")

        assert service("kafka").address == f"127.0.0.1:{server.getsockname()[1]}"


def test_service_says_so_if_the_one_that_is_named_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("STREAMLAB_KAFKA", f"127.0.0.1:{port}")

    with pytest.raises(ServiceError, match=f"kafka does not answer at 127.0.0.1:{port}, where it should run"):
        service("kafka")
