"""Mistakes of clients and their error codes: the same from the wire server and from Apache Kafka."""

import struct
from collections.abc import Callable

import pytest
from kafka.protocol.metadata import ApiVersionsResponse, MetadataRequest

from streamlab.lab03_log.wire.batches import HEADER_BYTES, at_offset, batch_of, crc_of
from tests.streamlab.lab03_log.wire import asking
from tests.streamlab.lab03_log.wire.asking import SIZE, create_topic, fetch, new_producer_id, produce, raw_client

GOOD = batch_of([(b"k", b"v"), (None, b"w")])
LENGTH_AT, MAGIC_AT, CRC_AT, ATTRIBUTES_AT, LAST_AT, PRODUCER_AT, COUNT_AT = 8, 16, 17, 21, 23, 43, 57
OUT_OF_RANGE, CORRUPT, UNKNOWN_TOPIC, TOO_LARGE, INVALID_TOPIC, WRONG_ACKS = 1, 2, 3, 10, 17, 21
UNSUPPORTED_VERSION, EXISTS, WRONG_PARTITIONS, WRONG_REPLICAS, WRONG_SETTING, INVALID_REQUEST = 35, 36, 37, 38, 40, 42
POLICY_VIOLATION, OUT_OF_ORDER, OLD_EPOCH, NO_TRANSACTION, INVALID_RECORD = 44, 45, 47, 53, 87


def with_bytes(at: int, new: bytes, crc_fits: bool = True, batch: bytes = GOOD) -> bytes:
    changed = batch[:at] + new + batch[at + len(new) :]
    return changed[:CRC_AT] + struct.pack(">I", crc_of(changed)) + changed[ATTRIBUTES_AT:] if crc_fits else changed


def numbered(producer: int, epoch: int, first: int) -> bytes:
    return with_bytes(PRODUCER_AT, struct.pack(">qhi", producer, epoch, first))


@pytest.mark.parametrize(
    ("records", "code"),
    [
        pytest.param(with_bytes(len(GOOD) - 1, b"x", crc_fits=False), CORRUPT, id="another last byte"),
        pytest.param(b"", INVALID_RECORD, id="nothing"),
        pytest.param(GOOD[:40], INVALID_RECORD, id="less than a header"),
        pytest.param(GOOD[:-1], INVALID_RECORD, id="a byte missing"),
        pytest.param(GOOD + GOOD, INVALID_RECORD, id="two batches"),
        pytest.param(with_bytes(LENGTH_AT, SIZE.pack(1000)), INVALID_RECORD, id="a length of more than there is"),
        pytest.param(with_bytes(LENGTH_AT, SIZE.pack(10)), CORRUPT, id="a length of less than any batch"),
        pytest.param(with_bytes(LENGTH_AT, SIZE.pack(-1000)), CORRUPT, id="a negative length"),
        pytest.param(with_bytes(MAGIC_AT, b"\x01"), INVALID_RECORD, id="the format of before 2017"),
        pytest.param(with_bytes(MAGIC_AT, b"\x09"), CORRUPT, id="a format that there is not"),
        pytest.param(with_bytes(COUNT_AT, SIZE.pack(3)), INVALID_RECORD, id="more records than offsets"),
        pytest.param(with_bytes(LAST_AT, SIZE.pack(2)), INVALID_RECORD, id="more offsets than records"),
        pytest.param(with_bytes(ATTRIBUTES_AT, b"\x00\x10"), NO_TRANSACTION, id="of a transaction"),
        pytest.param(with_bytes(ATTRIBUTES_AT, b"\x00\x20"), INVALID_RECORD, id="a control batch"),
        pytest.param(at_offset(GOOD, 7), INVALID_RECORD, id="an offset that only the broker gives"),
        pytest.param(batch_of([(None, bytes(1_100_000))]), TOO_LARGE, id="more than a megabyte"),
    ],
)
def test_an_invalid_batch_is_rejected_and_not_written(address: str, topic: str, records: bytes, code: int) -> None:
    assert produce(address, topic, records) == (code, -1)
    assert produce(address, topic, GOOD) == (0, 0)


def test_bytes_after_a_batch_that_are_too_few_for_another_are_ignored(address: str, topic: str) -> None:
    assert produce(address, topic, GOOD + b"x") == (0, 0)
    assert fetch(address, topic, 0).size_bytes == len(GOOD)


def test_an_unknown_topic_or_partition_returns_its_error_code(address: str, topic: str) -> None:
    assert asking.metadata_code(address, "nowhere") == UNKNOWN_TOPIC
    for where, partition in (("nowhere", 0), (topic, 9), (topic, -1)):
        assert produce(address, where, GOOD, partition) == (UNKNOWN_TOPIC, -1)
        assert fetch(address, where, 0, partition).error_code == UNKNOWN_TOPIC
        assert asking.list_offset(address, where, -1, partition)[0] == UNKNOWN_TOPIC


def test_acks_must_be_none_leader_or_all(address: str, topic: str) -> None:
    assert produce(address, topic, GOOD, acks=2) == (WRONG_ACKS, -1)
    assert produce(address, topic, GOOD, acks=1) == (0, 0)


def test_without_acknowledgement_the_record_is_written_and_no_response_is_sent(address: str, topic: str) -> None:
    with raw_client(address) as client:
        unanswered = client.encoded(asking.produce_request(topic, GOOD, acks=0), 9)
        question = client.encoded(MetadataRequest(topics=[]), 1)

        answer = client.ask_as_it_is(SIZE.pack(len(unanswered)) + unanswered + SIZE.pack(len(question)) + question)

    assert answer is not None
    assert answer[:4] == SIZE.pack(2)  # it is the answer to the second request
    assert fetch(address, topic, 0).high_watermark == 2


@pytest.mark.parametrize("offset", [-1, 3, 1_000])
def test_an_offset_below_or_above_the_log_is_out_of_range(address: str, topic: str, offset: int) -> None:
    produce(address, topic, GOOD)

    assert fetch(address, topic, offset).error_code == OUT_OF_RANGE


def test_a_fetch_at_the_end_of_the_log_returns_no_bytes(address: str, topic: str) -> None:
    produce(address, topic, GOOD)

    assert fetch(address, topic, 2) == (0, 2, 0)


@pytest.mark.parametrize("name", ["a/b", "", "..", "x" * 250])
def test_a_topic_with_an_invalid_name_is_rejected(address: str, name: str) -> None:
    assert create_topic(address, name) == INVALID_TOPIC


def test_an_existing_topic_is_not_created_again(address: str, topic: str) -> None:
    assert create_topic(address, topic) == EXISTS


def test_a_topic_that_the_cluster_cannot_create_is_rejected(address: str) -> None:
    assert create_topic(address, "no-partitions", partitions=0) == WRONG_PARTITIONS
    assert create_topic(address, "less-than-none", partitions=-2) == WRONG_PARTITIONS
    assert create_topic(address, "too-many", partitions=10_001) == POLICY_VIOLATION
    assert create_topic(address, "copies", replicas=3) == WRONG_REPLICAS
    assert create_topic(address, "no-copy", replicas=0) == WRONG_REPLICAS
    assert create_topic(address, "set", settings=[("nonsense", "1")]) == WRONG_SETTING
    assert create_topic(address, "twice", times=2) == INVALID_REQUEST


def test_a_topic_that_is_only_validated_is_not_created(address: str) -> None:
    assert create_topic(address, "validated", validate_only=True) == 0
    assert asking.metadata_code(address, "validated") == UNKNOWN_TOPIC


def test_a_retried_batch_is_acknowledged_and_written_once(address: str, topic: str) -> None:
    producer = new_producer_id(address)
    sent = [numbered(producer, 0, first) for first in (0, 0, 2, 0, 2)]

    assert [produce(address, topic, each) for each in sent] == [(0, 0), (0, 0), (0, 2), (0, 0), (0, 2)]
    assert asking.list_offset(address, topic, -1) == (0, -1, 4)


def test_sequence_numbers_of_an_idempotent_producer_are_checked_per_partition(address: str, topic: str) -> None:
    producer = new_producer_id(address)
    numbers = [(0, 0), (0, 5), (0, 1), (0, 2), (1, 3), (1, 0), (0, 4)]  # epoch, first record
    codes = [produce(address, topic, numbered(producer, *each))[0] for each in numbers]

    assert codes == [0, OUT_OF_ORDER, OUT_OF_ORDER, 0, OUT_OF_ORDER, 0, OLD_EPOCH]
    assert produce(address, topic, numbered(producer, 0, 0), partition=1) == (0, 0)
    assert produce(address, topic, numbered(producer, 1, -1))[0] == INVALID_RECORD


def test_the_last_five_batches_of_a_producer_are_remembered(address: str, topic: str) -> None:
    producer = new_producer_id(address)
    for first in range(0, 12, 2):
        produce(address, topic, numbered(producer, 0, first))

    assert produce(address, topic, numbered(producer, 0, 2)) == (0, 2)
    assert produce(address, topic, numbered(producer, 0, 0))[0] == OUT_OF_ORDER


def test_an_unknown_producer_may_start_with_any_sequence_number(address: str, topic: str) -> None:
    assert produce(address, topic, numbered(new_producer_id(address), 0, 5)) == (0, 0)


def renamed(kind: int, version: int, request: bytes) -> bytes:
    return struct.pack(">hh", kind, version) + request[4:]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda request: renamed(0, 99, request), id="a Produce of version 99"),
        pytest.param(lambda request: renamed(1, -1, request), id="a Fetch of version -1"),
        pytest.param(lambda request: renamed(999, 0, request), id="a kind that there is not"),
        pytest.param(lambda request: request[:-3], id="a body that is cut"),
        pytest.param(lambda request: request[:6], id="a header that is cut"),
        pytest.param(lambda request: b"", id="nothing"),
        pytest.param(lambda request: bytes(100), id="zeros"),
    ],
)
def test_an_invalid_request_closes_only_its_connection(
    address: str, topic: str, broken: Callable[[bytes], bytes]
) -> None:
    with raw_client(address) as wrong, raw_client(address) as right:
        assert wrong.ask_bytes(broken(wrong.encoded(MetadataRequest(topics=[]), 1))) is None
        assert right.ask(MetadataRequest(topics=[]), 1).brokers

    assert produce(address, topic, GOOD) == (0, 0)


@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n\r\n", SIZE.pack(-5), SIZE.pack(2**31 - 1), b"\xff" * 1000])
def test_garbage_on_the_port_closes_only_its_own_connection(address: str, garbage: bytes) -> None:
    with raw_client(address) as wrong:
        assert wrong.ask_as_it_is(garbage) is None

    assert asking.ask(address, MetadataRequest(topics=[]), 1).brokers


def test_an_unknown_version_of_api_versions_returns_the_known_versions(address: str) -> None:
    with raw_client(address) as client:
        question = client.encoded(MetadataRequest(topics=[]), 1)
        response = client.ask_bytes(renamed(18, 99, question))

    assert response is not None
    answer = ApiVersionsResponse.decode(response, version=0, header=True)
    assert answer.error_code == UNSUPPORTED_VERSION
    assert [each.api_key for each in answer.api_keys] == [18]


def test_the_byte_positions_above_fit_the_header_size() -> None:
    assert COUNT_AT + 4 == HEADER_BYTES
