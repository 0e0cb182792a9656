"""The server is killed while a producer writes: no acknowledged record is lost or written twice."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaProducer

from tests.streamlab.lab03_log.wire.asking import list_offset
from tests.streamlab.lab03_log.wire.clients import until
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
    """Start a server in its own process; yield the process and its address."""
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
