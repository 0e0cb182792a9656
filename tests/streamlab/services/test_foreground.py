"""A server as a container's only program: the process is replaced by it, and its data stay in the folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from streamlab.services.kafka import OUTSIDE, Kafka
from streamlab.services.ports import free_ports
from streamlab.services.zookeeper import ZooKeeper
from tests.streamlab.services.conftest import wait_until

LIMIT_S = 60.0


def command(*arguments: str | Path | int) -> list[str]:
    return [sys.executable, "-m", "streamlab.services.foreground", *map(str, arguments)]


def test_the_process_becomes_the_server(tmp_path: Path) -> None:
    (port,) = free_ports(1)

    process = subprocess.Popen(command("zookeeper", tmp_path, port), stdout=subprocess.DEVNULL)
    try:
        server = ZooKeeper(tmp_path)
        wait_until(lambda: process.poll() is not None or bool(server.ports and server.answers()), LIMIT_S)
        assert process.poll() is None
        assert server.port == port
        assert "java" in os.readlink(f"/proc/{process.pid}/exe")
    finally:
        process.kill()
        process.wait()


def test_kafka_advertises_another_address_to_clients_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(OUTSIDE, "127.0.0.1:19999")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "meta.properties").write_text("formatted before")
    (port,) = free_ports(1)

    Kafka(tmp_path, port).in_foreground()

    settings = dict(line.split("=", 1) for line in (tmp_path / "server.properties").read_text().splitlines())
    assert "OUTSIDE://127.0.0.1:19092" in settings["listeners"]
    assert settings["advertised.listeners"] == f"PLAINTEXT://127.0.0.1:{port},OUTSIDE://127.0.0.1:19999"
    assert settings["listener.security.protocol.map"].endswith(",OUTSIDE:PLAINTEXT")


@pytest.mark.parametrize(
    ("arguments", "stderr"),
    [
        (["kafka"], "lab: expected NAME FOLDER PORT, for example kafka /data 9092\n"),
        (["rabbit", "/data", "1"], "lab: no service rabbit; there are kafka, zookeeper, redis, postgres, cassandra\n"),
    ],
)
def test_an_invalid_argument_is_rejected_in_one_line(arguments: list[str], stderr: str) -> None:
    ran = subprocess.run(command(*arguments), capture_output=True, text=True)

    assert (ran.returncode, ran.stderr) == (2, stderr)


@pytest.mark.parametrize(
    ("name", "made", "own"), [("zookeeper", "99.0.0", "3."), ("kafka", "3.9.1", "4.")], ids=["newer", "another major"]
)
def test_data_of_another_version_are_rejected_with_the_docker_commands(
    tmp_path: Path, name: str, made: str, own: str
) -> None:
    (tmp_path / "made.json").write_text(f'{{"version": "{made}", "ports": [1, 2]}}')
    ran = subprocess.run(command(name, tmp_path, 2181), capture_output=True, text=True)

    assert ran.returncode == 2
    assert ran.stderr.startswith(f"lab: the data in {tmp_path} are {name} {made}'s, and this is {own}")
    assert ran.stderr.endswith("`docker volume ls` names the volume that holds them, `docker volume rm` deletes it\n")
    assert ran.stderr.count("\n") == 1
