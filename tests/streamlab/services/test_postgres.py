"""The real PostgreSQL, with psycopg: committed rows survive a kill -9, and root starts the server as nobody."""

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from streamlab.services import ServiceError, running
from streamlab.services import postgres as postgres_module
from streamlab.services.base import Service
from streamlab.services.postgres import Postgres, closed_to_others
from tests.streamlab.services.conftest import processes_of, server_programs, wait_until

psycopg = server_programs("psycopg")


def connected(server: Service) -> Any:
    return psycopg.connect(f"host=127.0.0.1 port={server.port} user=lab dbname=postgres", autocommit=True)


def test_text_of_every_language_is_stored(postgres: Service) -> None:
    with connected(postgres) as client:
        client.execute("create table words (word text primary key)")
        client.execute("insert into words values (%s), ('')", ["Größe 大小"])

        assert client.execute("select word from words order by word").fetchall() == [("",), ("Größe 大小",)]


def test_neither_the_server_nor_its_children_run_as_root(postgres: Service) -> None:
    main = psutil.Process(postgres.pid)

    assert 0 not in {each.uids().effective for each in (main, *main.children(recursive=True))}


def test_the_server_listens_on_loopback_only_and_its_memory_is_bounded(postgres: Service) -> None:
    listening = [each for each in psutil.Process(postgres.pid).net_connections("tcp") if each.status == "LISTEN"]

    assert [(each.laddr.ip, each.laddr.port) for each in listening] == [("127.0.0.1", postgres.port)]
    assert 0 < postgres.memory_mb < 100


def test_committed_rows_survive_a_kill_and_a_stop() -> None:
    with running("postgres") as own:
        address = own.address
        with connected(own) as client:
            client.execute("create table kept as select generate_series(1, 1000) as number")
        own.kill()
        died = own.state()
        own.start()
        with connected(own) as client:
            after_kill = client.execute("select sum(number) from kept").fetchone()
        error = own.last_error()
        own.stop()
        own.start()
        with connected(own) as client:
            after_stop = client.execute("select sum(number) from kept").fetchone()

    assert (died, own.address, error) == ("died", address, None)
    assert (after_kill, after_stop) == ((500_500,), (500_500,))
    assert processes_of(own.folder) == []
    assert not own.folder.exists()


def test_killing_the_main_process_ends_its_children() -> None:
    with running("postgres") as own, connected(own):
        started = psutil.Process(own.pid).children(recursive=True)
        os.kill(own.pid or 0, signal.SIGKILL)

        wait_until(lambda: not any(each.is_running() for each in started))

    assert started != []


def test_a_connected_client_does_not_delay_a_stop() -> None:
    with running("postgres") as own, connected(own):
        assert own.stop() is True
        assert own.state() == "stopped"


def test_a_paused_server_is_silent_until_it_is_resumed() -> None:
    with running("postgres") as own:
        own.pause()
        paused = own.state()
        own.resume()

        assert (paused, own.state()) == ("silent", "running")


def test_a_failed_query_is_not_an_error_of_the_server(postgres: Service) -> None:
    with connected(postgres) as client, pytest.raises(psycopg.Error):
        client.execute("select * from nothing_like_this")

    assert postgres.last_error() is None


def test_root_without_setpriv_gets_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(postgres_module.shutil, "which", lambda name: None)

    with pytest.raises(ServiceError, match=r"does not run as root, and setpriv .* run as another user"):
        Postgres(tmp_path).start()


def test_every_folder_on_the_path_must_be_open_to_others(open_folder: Path) -> None:
    inner = open_folder / "closed" / "inner"
    (inner / "last").mkdir(parents=True)
    (open_folder / "closed").chmod(0o700)

    assert closed_to_others(inner / "last") == open_folder / "closed"
    assert closed_to_others(open_folder / "last") is None


def test_the_error_for_root_is_about_the_closed_folder(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (open_folder / "closed").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    with pytest.raises(ServiceError, match=r"as nobody, who may not enter .*closed; run as another user, or move"):
        Postgres(open_folder / "closed" / "postgres").start()


def test_a_data_folder_without_a_cluster_fails_with_the_reason(open_folder: Path) -> None:
    (open_folder / "data").mkdir()
    (open_folder / "data" / "mine.txt").write_text("not a database")

    with pytest.raises(ServiceError, match=r"postgres did not start, making the data folder failed .*not empty"):
        Postgres(open_folder).start()
