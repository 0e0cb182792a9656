"""The server itself: data after a restart, errors of the log, and rejected input."""

import errno
import random
import threading
from pathlib import Path

import pytest
from kafka import KafkaConsumer, KafkaProducer
from kafka.protocol.metadata import FindCoordinatorRequest, MetadataRequest

from streamlab.lab03_log.wire.batches import Batch, CorruptBatch, batch_of
from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire import asking
from tests.streamlab.lab03_log.wire.a_log import SimpleLog
from tests.streamlab.lab03_log.wire.asking import ask, create_topic, fetch, metadata_code, produce, raw_client
from tests.streamlab.lab03_log.wire.test_faults import GOOD, OUT_OF_ORDER, numbered
from tests.streamlab.services.records import consume, make_topic
from tests.streamlab.services.records import produce as produce_values

UNKNOWN, CORRUPT, STORAGE = -1, 2, 56
REQUESTS = [
    (asking.produce_request("t", GOOD), 9),
    (asking.produce_request("t", GOOD), 3),
    (asking.fetch_request("t", {0: 0}), 12),
    (asking.fetch_request("t", {0: 0}), 4),
    (asking.join_request("g", ""), 4),
    (MetadataRequest(topics=[MetadataRequest.MetadataRequestTopic(name="t")]), 9),
    (FindCoordinatorRequest(key="g", key_type=0), 3),
]


def test_topics_records_and_committed_offsets_survive_a_restart(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path) as server:
        make_topic(server.address, "kept-1", 3)
        produce_values(server.address, "kept-1", [b"a", b"b"])
        asking.commit(server.address, "readers", "kept-1", 1)
    with WireServer(SimpleLog, tmp_path) as server:
        produce_values(server.address, "kept-1", [b"c"])

        assert consume(server.address, "kept-1") == [b"a", b"b", b"c"]
        assert asking.committed(server.address, "readers", None) == {("kept-1", 0): 1}
        topics = ask(server.address, MetadataRequest(topics=None), 9).topics
        assert [(each.name, len(each.partitions)) for each in topics] == [("kept-1", 3)]


def test_the_server_listens_on_the_host_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_HOST", "127.0.0.2")

    with WireServer(SimpleLog, tmp_path) as server:
        make_topic(server.address, "elsewhere", 1)
        produce_values(server.address, "elsewhere", [b"a"])

        assert server.address.startswith("127.0.0.2:")
        assert consume(server.address, "elsewhere") == [b"a"]


def test_a_batch_retried_after_a_restart_is_written_once(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path) as server:
        create_topic(server.address, "t")
        producer = asking.new_producer_id(server.address)
        assert produce(server.address, "t", numbered(producer, 0, 0)) == (0, 0)
    with WireServer(SimpleLog, tmp_path) as server:
        assert produce(server.address, "t", numbered(producer, 0, 0)) == (0, 0)
        assert produce(server.address, "t", numbered(producer, 0, 5))[0] == OUT_OF_ORDER
        assert produce(server.address, "t", numbered(producer, 0, 2)) == (0, 2)


def test_clients_continue_when_the_server_restarts_on_its_port(tmp_path: Path) -> None:
    server = WireServer(SimpleLog, tmp_path)
    with server:
        address = server.address
        make_topic(address, "t")
        producer = KafkaProducer(bootstrap_servers=address, acks="all")
        consumer = KafkaConsumer("t", bootstrap_servers=address, group_id="g", auto_offset_reset="earliest")
        producer.send("t", b"before").get(timeout=20)
        assert next(consumer).value == b"before"
    with server:
        assert server.address == address
        producer.send("t", b"after").get(timeout=20)

        assert next(consumer).value == b"after"
        producer.close()
        consumer.close()


def test_a_topic_gets_the_default_number_of_partitions_if_it_does_not_set_one(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path, partitions=7) as server:
        assert create_topic(server.address, "t", partitions=-1, replicas=-1) == 0
        (topic,) = ask(server.address, MetadataRequest(topics=None), 9).topics

    assert [each.partition_index for each in topic.partitions] == list(range(7))


def test_the_servers_internal_topic_is_hidden_from_clients(wire: WireServer) -> None:
    assert create_topic(wire.address, "__consumer_offsets") == 36
    assert metadata_code(wire.address, "__consumer_offsets") == 3


class FailingLog(SimpleLog):
    """Accepts two batches, and then raises `problem`."""

    problem: Exception

    def append(self, batch: bytes, records: int) -> int:
        if self.end_offset >= 4:
            raise self.problem
        return super().append(batch, records)


@pytest.mark.parametrize(
    ("problem", "code"), [(OSError(errno.ENOSPC, "disk full"), STORAGE), (CorruptBatch("a bit flipped"), CORRUPT)]
)
def test_a_log_error_that_kafka_also_has_is_returned_to_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception, code: int
) -> None:
    monkeypatch.setattr(FailingLog, "problem", problem, raising=False)
    with WireServer(FailingLog, tmp_path) as server:
        create_topic(server.address, "t")

        assert [produce(server.address, "t", GOOD) for _ in range(3)] == [(0, 0), (0, 2), (code, -1)]
        assert fetch(server.address, "t", 0).high_watermark == 4


def test_any_other_log_error_is_unknown_and_raised_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FailingLog, "problem", NotImplementedError("append: write it"), raising=False)
    server = WireServer(FailingLog, tmp_path)
    with pytest.raises(NotImplementedError, match="append: write it"), server:  # noqa: PT012
        create_topic(server.address, "t")

        assert [produce(server.address, "t", GOOD)[0] for _ in range(3)] == [0, 0, UNKNOWN]
        assert fetch(server.address, "t", 0).high_watermark == 4


class DamagedLog(SimpleLog):
    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        if offset >= 2:
            raise CorruptBatch("batches, byte 78")
        return super().read(offset, max_bytes)[:1]


def test_a_damaged_log_is_served_up_to_the_damage(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path) as server:
        create_topic(server.address, "t")
        for _ in range(2):
            produce(server.address, "t", GOOD)
    with WireServer(DamagedLog, tmp_path) as server:
        assert fetch(server.address, "t", 0) == (0, 4, len(GOOD))
        assert fetch(server.address, "t", 2).error_code == CORRUPT
        assert produce(server.address, "t", GOOD) == (0, 4)


def test_a_port_in_use_is_reported(wire: WireServer, tmp_path: Path) -> None:
    port = int(wire.address.split(":")[1])

    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}: .*port=0 takes a free one"):
        WireServer(SimpleLog, tmp_path, port=port).__enter__()


def test_a_partition_count_below_one_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 partition or more, got 0"):
        WireServer(SimpleLog, tmp_path, partitions=0)


def test_the_error_of_a_log_that_does_not_open_is_raised_and_the_port_is_released(tmp_path: Path) -> None:
    def broken(folder: Path) -> SimpleLog:
        raise ValueError(f"{folder.name} does not fit")

    server = WireServer(broken, tmp_path)
    with pytest.raises(ValueError, match="__consumer_offsets-0 does not fit"):
        server.__enter__()

    with WireServer(SimpleLog, tmp_path, port=int(server.address.split(":")[1])):
        pass


def test_no_thread_remains_when_the_block_ends(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with WireServer(SimpleLog, tmp_path) as server:
        create_topic(server.address, "t")
        produce(server.address, "t", batch_of([(None, b"x")]))
        assert set(threading.enumerate()) - before

    assert set(threading.enumerate()) <= before


class UnfinishedLog(SimpleLog):
    """A learner's unfinished log, whose `append` returns None."""

    def append(self, batch: bytes, records: int) -> int:
        super().append(batch, records)
        return None  # type: ignore[return-value]


def test_a_log_that_returns_no_offset_is_reported_at_the_end(tmp_path: Path) -> None:
    server = WireServer(UnfinishedLog, tmp_path)
    with pytest.raises(TypeError, match=r"append\(\) of the log must be an offset.*got None"), server:  # noqa: PT012
        create_topic(server.address, "t")
        assert produce(server.address, "t", GOOD) == (UNKNOWN, -1)


def test_the_server_survives_requests_with_random_bytes_changed(wire: WireServer) -> None:
    create_topic(wire.address, "t")
    rng = random.Random(3)
    with raw_client(wire.address) as client:
        whole = [client.encoded(request, version) for request, version in REQUESTS]
    for at in range(300):
        changed = bytearray(whole[at % len(whole)])
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(2, len(changed))] = rng.choice([0, 1, 127, 128, 255])
        with raw_client(wire.address) as client:
            client.send(asking.SIZE.pack(len(changed)) + changed)

    assert metadata_code(wire.address, "t") == 0
