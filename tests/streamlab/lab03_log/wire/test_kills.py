"""A killed server loses and repeats no acknowledged record; a killed member's partitions go to the other member."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaProducer

from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire.asking import list_offset
from tests.streamlab.lab03_log.wire.clients import PARTITIONS, RECORDS, kafka_python_member, read_by, records, until
from tests.streamlab.services.records import consume, make_topic

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
SERVER = """
import sys
from pathlib import Path
from streamlab.lab03_log.wire.server import WireServer
from tests.autograder.stages.lab03_log.reference import reference

with WireServer(reference().PartitionLog, Path(sys.argv[1]), port=int(sys.argv[2])) as server:
    print(server.address, flush=True)
    sys.stdin.read()
"""
VALUES = [b"%d" % number for number in range(50_000)]


@contextmanager
def server_process(folder: Path, port: int = 0) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [sys.executable, "-c", SERVER, str(folder), str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


def test_each_acknowledged_record_exists_exactly_once_after_a_kill_of_the_server(tmp_path: Path) -> None:
    sent: list[Any] = []
    with server_process(tmp_path) as (process, address):
        make_topic(address, "t")
        producer = KafkaProducer(bootstrap_servers=address, acks="all", enable_idempotence=True)
        sending = threading.Thread(target=lambda: sent.extend(producer.send("t", value) for value in VALUES))
        sending.start()
        for _ in until(lambda: list_offset(address, "t", -1)[2] > 5_000):
            pass
        process.kill()
        in_the_middle = sending.is_alive()
    with server_process(tmp_path, port=int(address.split(":")[1])):
        sending.join()
        producer.close()

        assert in_the_middle
        assert all(each.succeeded() for each in sent)
        assert consume(address, "t") == VALUES


SESSION_MS = 6000  # Kafka allows no shorter one
MEMBER = f"""
import sys
from tests.streamlab.lab03_log.wire.clients import kafka_python_member

member = kafka_python_member(sys.argv[1], sys.argv[2], session_timeout_ms={SESSION_MS}, enable_auto_commit=False)
while True:
    member.poll(timeout_ms=50)
    print(len(member.assignment()), flush=True)
"""


@pytest.fixture
def doomed(wire: WireServer) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", MEMBER, wire.address, "shared"]
    make_topic(wire.address, "shared", PARTITIONS)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_the_other_member_takes_over_and_reads_all_records(wire: WireServer, doomed: "subprocess.Popen[str]") -> None:
    from kafka import KafkaProducer

    other = kafka_python_member(wire.address, "shared", session_timeout_ms=SESSION_MS)
    for _ in until(lambda: len(other.assignment()) == PARTITIONS // 2):
        other.poll(timeout_ms=50)
    assert doomed.stdout is not None
    assert any(line == f"{PARTITIONS // 2}\n" for line in doomed.stdout)

    doomed.kill()
    with KafkaProducer(bootstrap_servers=wire.address) as producer:
        for key, value in records():
            producer.send("shared", value, key=key)
    read = read_by(other)

    assert len(other.assignment()) == PARTITIONS
    assert sorted(each for partition in read.values() for each in partition) == sorted(records())
    assert sum(map(len, read.values())) == RECORDS
    other.close()
