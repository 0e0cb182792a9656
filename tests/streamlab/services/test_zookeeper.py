"""The real ZooKeeper, with kazoo: data outlive a kill -9; what was there is there after a stop and a start."""

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
    """One server for all tests that do it no harm, on a port that was asked for."""
    port = free_ports(1)[0]
    with running("zookeeper", port=port) as made:
        assert made.address == f"127.0.0.1:{port}"
        yield made


def written(address: str) -> bytes:
    """What is stored at /lab, which is made at the first call."""
    client = KazooClient(hosts=address, timeout=2)
    client.start(timeout=20)
    client.ensure_path("/lab")
    before: bytes = client.get("/lab")[0]
    client.set("/lab", before + b"+")
    client.stop()
    client.close()
    return before


def test_what_was_written_is_there_after_a_kill_and_after_a_stop() -> None:
    with running("zookeeper") as server:
        address, seen = server.address, [written(server.address)]
        server.kill()
        assert server.state() == "died"
        server.start()
        seen.append(written(address))
        assert server.last_error() is None  # a client that went away is none
        assert server.stop() is True
        assert server.state() == "stopped"
        server.start()
        seen.append(written(address))

    assert seen == [b"", b"+", b"++"]


def test_the_seventieth_client_of_this_machine_is_served_too(server: Service) -> None:
    with ExitStack() as connections:
        for _ in range(70):
            connections.enter_context(socket.create_connection((HOST, server.port)))
        before = written(server.address)

        assert written(server.address) == before + b"+"


def test_its_own_commands_work_with_the_few_jars_that_it_is_given(server: Service) -> None:
    with socket.create_connection((HOST, server.port)) as connection:
        connection.sendall(b"mntr")
        with connection.makefile() as answer:
            told = answer.read()

    assert f"zk_version\t{server.version()}" in told


def test_what_it_logs_when_it_is_asked_while_it_starts_is_no_error_of_its_own(tmp_path: Path) -> None:
    asked = "07:29:28.510 ERROR Error closing a command socket  (ServerCnxn)\njava.lang.NullPointerException: zkDb\n"
    server = ZooKeeper(tmp_path)

    server.log.write_text(asked)
    without = server.last_error()
    server.log.write_text(f"07:29:27.000 ERROR Unable to load database  (Main)\n{asked}")

    assert without is None
    assert "Unable to load database" in (server.last_error() or "")


def test_its_folder_may_have_any_name(tmp_path: Path) -> None:
    name = "größe, with a space: and more"
    server = ZooKeeper(tmp_path / name)
    server.start()

    answer = server.answers()
    server.stop()

    assert answer
    assert list((tmp_path / name / "data").iterdir()) != []
    assert processes_of(tmp_path) == []


def test_a_port_that_another_server_takes_at_the_last_moment_gives_way_to_a_free_one(
    server: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_free: list[int] = []

    def free_when_looked_at_first(port: int) -> str | None:
        seen_free.append(port)
        return None if len(seen_free) == 1 else why_not_free(port)

    second = ZooKeeper(tmp_path)
    (tmp_path / "made.json").write_text(f'{{"version": "{second.version()}", "ports": [{server.port}]}}')
    monkeypatch.setattr(base, "why_not_free", free_when_looked_at_first)
    second.start()
    port = second.port
    second.stop()

    assert seen_free[0] == server.port
    assert port != server.port


def test_a_port_that_was_asked_for_is_what_it_gets_and_no_other_when_it_is_taken(
    server: Service, tmp_path: Path
) -> None:
    with pytest.raises(ServiceError, match=rf"port {server.port} is taken by pid {server.pid} \(java\)"):
        ZooKeeper(tmp_path / "second", server.port).start()
