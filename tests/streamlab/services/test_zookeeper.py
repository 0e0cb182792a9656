"""The real ZooKeeper, with kazoo: data survive a kill -9, a stop and a start."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from kazoo.client import KazooClient

from streamlab.services import ServiceError, base, running
from streamlab.services.base import Service
from streamlab.services.ports import HOST, free_ports, why_not_free
from streamlab.services.zookeeper import ZooKeeper
from tests.streamlab.services.conftest import processes_of


@pytest.fixture(scope="module")
def server() -> Iterator[Service]:
    """Yield one server, on a chosen port, for all tests that do not harm it."""
    port = free_ports(1)[0]
    with running("zookeeper", port=port) as made:
        assert made.address == f"127.0.0.1:{port}"
        yield made


def append_plus(address: str) -> bytes:
    """Append "+" to the value at /lab, which the first call creates; return the value before."""
    client = KazooClient(hosts=address, timeout=2)
    client.start(timeout=20)
    client.ensure_path("/lab")
    before: bytes = client.get("/lab")[0]
    client.set("/lab", before + b"+")
    client.stop()
    client.close()
    return before


def test_data_survive_a_kill_and_a_stop() -> None:
    with running("zookeeper") as server:
        address, seen = server.address, [append_plus(server.address)]
        server.kill()
        assert server.state() == "died"
        server.start()
        seen.append(append_plus(address))
        assert server.last_error() is None  # a disconnected client is not an error
        assert server.stop() is True
        assert server.state() == "stopped"
        server.start()
        seen.append(append_plus(address))

    assert seen == [b"", b"+", b"++"]


def test_seventy_clients_of_one_machine_are_served(server: Service) -> None:
    with ExitStack() as connections:
        for _ in range(70):
            connections.enter_context(socket.create_connection((HOST, server.port)))
        before = append_plus(server.address)

        assert append_plus(server.address) == before + b"+"


def test_the_four_letter_commands_work_with_the_reduced_set_of_jars(server: Service) -> None:
    with socket.create_connection((HOST, server.port)) as connection:
        connection.sendall(b"mntr")
        with connection.makefile() as answer:
            reply = answer.read()

    assert f"zk_version\t{server.version()}" in reply


def test_an_error_logged_for_a_probe_during_the_start_is_ignored(tmp_path: Path) -> None:
    logged = "07:29:28.510 ERROR Error closing a command socket  (ServerCnxn)\njava.lang.NullPointerException: zkDb\n"
    server = ZooKeeper(tmp_path)
    server.log.write_text(logged)
    without = server.last_error()
    server.log.write_text(f"07:29:27.000 ERROR Unable to load database  (Main)\n{logged}")

    assert without is None
    assert "Unable to load database" in (server.last_error() or "")


def test_the_folder_can_have_any_name(tmp_path: Path) -> None:
    name = "größe, with a space: and more"
    server = ZooKeeper(tmp_path / name)
    server.start()
    answer = server.answers()
    server.stop()

    assert answer
    assert list((tmp_path / name / "data").iterdir()) != []
    assert processes_of(tmp_path) == []


def test_a_stored_port_taken_at_the_last_moment_is_replaced_by_a_free_one(
    server: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_free: list[int] = []

    def free_at_first_check(port: int) -> str | None:
        seen_free.append(port)
        return None if len(seen_free) == 1 else why_not_free(port)

    second = ZooKeeper(tmp_path)
    (tmp_path / "made.json").write_text(f'{{"version": "{second.version()}", "ports": [{server.port}]}}')
    monkeypatch.setattr(base, "why_not_free", free_at_first_check)
    second.start()
    port = second.port
    second.stop()

    assert seen_free[0] == server.port
    assert port != server.port


def test_a_chosen_port_in_use_is_not_replaced(server: Service, tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=rf"port {server.port} is taken by pid {server.pid} \(java\)"):
        ZooKeeper(tmp_path / "second", server.port).start()
