"""The real broker: acknowledged records survive a kill -9, and each failure is reported in one sentence."""

import os
import socket
import subprocess
from pathlib import Path

import psutil
import pytest
from kafka import KafkaProducer

from streamlab.services import ServiceError, running
from streamlab.services.base import Service
from streamlab.services.kafka import HEAP_MB, Kafka, brokers_in_service, new_cluster_id
from tests.streamlab.services.conftest import processes_of, wait_until
from tests.streamlab.services.records import consume, make_topic, produce


def numbers(begin: int, end: int) -> list[bytes]:
    return [b"%d" % number for number in range(begin, end)]


def test_records_are_consumed_in_the_order_they_were_produced(kafka: Service) -> None:
    make_topic(kafka.address, "in-order")
    produce(kafka.address, "in-order", numbers(0, 1000))

    assert consume(kafka.address, "in-order") == numbers(0, 1000)


def test_the_brokers_memory_is_bounded_and_its_log_has_no_error(kafka: Service) -> None:
    assert 0 < kafka.memory_mb < HEAP_MB + 150
    assert kafka.last_error() is None


def test_the_broker_listens_on_loopback_only(kafka: Service) -> None:
    listening = [each for each in psutil.Process(kafka.pid).net_connections("tcp") if each.status == "LISTEN"]

    assert sorted(each.laddr.port for each in listening) == sorted(kafka.ports)
    assert {each.laddr.ip.removeprefix("::ffff:") for each in listening} == {"127.0.0.1"}


@pytest.mark.slow
def test_all_acknowledged_records_survive_a_kill_and_a_restart_on_the_same_port() -> None:
    with running("kafka") as broker:
        make_topic(broker.address, "kept")
        produce(broker.address, "kept", numbers(0, 2000))
        address, pid = broker.address, broker.pid
        assert pid is not None

        os.kill(pid, 9)
        wait_until(lambda: broker.state() == "died")
        broker.start()
        produce(broker.address, "kept", numbers(2000, 2100))

        assert (broker.address == address, broker.pid != pid) == (True, True)
        assert consume(address, "kept") == numbers(0, 2100)
        folder = broker.folder

    assert processes_of(folder) == []
    assert not folder.exists()


def test_a_port_in_use_is_reported_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(ServiceError, match=rf"port {port} is taken by pid {os.getpid()} .*choose another"):
            Kafka(tmp_path / "kafka", port).start()

    assert not (tmp_path / "kafka" / "kafka.log").exists()


@pytest.mark.parametrize("free_kb", [0, 40])
def test_a_full_disk_is_reported_in_one_sentence(small_disk: Path, free_kb: int) -> None:
    (small_disk / "filling").write_bytes(bytes((1024 - free_kb) * 1024))

    with pytest.raises(ServiceError, match=r"the disk of .*kafka is full.*make room"):
        Kafka(small_disk / "kafka").start()

    assert processes_of(small_disk) == []


def test_a_broker_on_a_full_disk_ends_and_the_cause_is_reported(small_disk: Path) -> None:
    broker = Kafka(small_disk / "kafka")
    broker.start()
    make_topic(broker.address, "too-much")
    limits = {"retries": 0, "delivery_timeout_ms": 2000, "request_timeout_ms": 1500}
    with KafkaProducer(bootstrap_servers=broker.address, **limits) as producer:
        sent = [producer.send("too-much", bytes(100_000), partition=0) for _ in range(20)]
    outcomes = [each.exception for each in sent]
    wait_until(lambda: broker.state() == "died")

    assert None in outcomes
    assert outcomes[-1] is not None
    assert "is full (0 MB free); make room there" in broker.how_it_died()
    assert broker.stop() is True


@pytest.mark.parametrize("made", ["4.9.0", "3.9.1", "what"])
def test_data_of_a_newer_or_another_major_version_are_rejected(tmp_path: Path, made: str) -> None:
    (tmp_path / "made.json").write_text(f'{{"version": "{made}", "ports": [1, 2]}}')

    with pytest.raises(ServiceError, match=rf"are kafka {made}'s, and this is .*up kafka --fresh"):
        Kafka(tmp_path).start()


def test_without_java_the_error_says_that_java_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlab.java import finder

    monkeypatch.setattr(finder, "candidates", lambda: iter(()))

    with pytest.raises(finder.JavaNotFound, match="Java 17 to 21 not found"):
        Kafka(tmp_path).start()


def test_a_read_only_folder_is_reported(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    with pytest.raises(ServiceError, match=r"kafka cannot use .*\(Read-only file system\).*STREAMLAB_SERVICES"):
        Kafka(small_disk / "kafka").start()


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "kafka").write_text("in the way")

    with pytest.raises(ServiceError, match=r"kafka cannot use .*STREAMLAB_SERVICES"):
        Kafka(tmp_path / "kafka").start()


def test_the_error_of_a_failed_start_has_the_last_error_in_the_log(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "meta.properties").write_text("version=1\ncluster.id=x\nnode.id=7\ndirectory.id=y\n")

    message = r"kafka did not start, it ended .*last error in its log: .*meta\.properties"
    with pytest.raises(ServiceError, match=message):
        Kafka(tmp_path).start()

    assert not (tmp_path / "pid.json").exists()


def test_a_cluster_id_is_sixteen_bytes_and_never_looks_like_an_option() -> None:
    made = {new_cluster_id() for _ in range(500)}

    assert {len(each) for each in made} == {22}
    assert not any(each.startswith("-") for each in made)


def test_a_broker_that_is_not_yet_in_service_does_not_count_as_answering() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(bytes([0, 0, 0, 12]) + bytes(12))  # metadata without brokers

        assert brokers_in_service(ours) == 0
