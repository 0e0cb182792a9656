"""A member of a group is killed without warning: when its session expires, the other one gets all partitions."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire.clients import PARTITIONS, RECORDS, kafka_python_member, read_by, records, until
from tests.streamlab.services.records import make_topic

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
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
    """Start a consumer in its own process."""
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
