"""A server as a container's only program: the process is replaced by it, and its data stay in the folder."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from streamlab.services.kafka import OUTSIDE, Kafka
from streamlab.services.ports import free_ports
from streamlab.services.zookeeper import ZooKeeper

LIMIT_S = 60.0


def command(*arguments: str | Path | int) -> list[str]:
    return [sys.executable, "-m", "streamlab.services.foreground", *map(str, arguments)]


def test_the_process_becomes_the_server(tmp_path: Path) -> None:
    (port,) = free_ports(1)

    process = subprocess.Popen(command("zookeeper", tmp_path, port), stdout=subprocess.DEVNULL)
    try:
        server, deadline = ZooKeeper(tmp_path), time.monotonic() + LIMIT_S
        while not (server.ports and server.answers()):
            assert process.poll() is None
            assert time.monotonic() < deadline, "it does not answer"
            time.sleep(0.05)
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


def test_data_of_a_newer_release_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "made.json").write_text('{"version": "99.0.0", "ports": [1]}')

    ran = subprocess.run(command("zookeeper", tmp_path, 2181), capture_output=True, text=True)

    assert ran.returncode == 2
    assert "are zookeeper 99.0.0's, and this is 3." in ran.stderr


def test_the_error_for_another_major_version_is_one_line_with_the_docker_commands(tmp_path: Path) -> None:
    (tmp_path / "made.json").write_text('{"version": "3.9.1", "ports": [1, 2]}')

    ran = subprocess.run(command("kafka", tmp_path, 9092), capture_output=True, text=True)

    assert ran.returncode == 2
    assert ran.stderr.startswith(f"lab: the data in {tmp_path} are kafka 3.9.1's, and this is ")
    assert ran.stderr.endswith("`docker volume ls` names the volume that holds them, `docker volume rm` deletes it\n")
    assert ran.stderr.count("\n") == 1
