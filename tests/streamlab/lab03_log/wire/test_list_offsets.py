"""Search by time: the same answers from the wire server and from Apache Kafka, whatever the codec of a batch."""

import struct
from pathlib import Path

import pytest

from streamlab.java import MissingPrerequisite
from streamlab.lab03_log.wire import decompression
from streamlab.lab03_log.wire.batches import HEADER_BYTES, CorruptBatch, batch_of, records_of
from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire.a_log import SimpleLog
from tests.streamlab.lab03_log.wire.asking import ask, create_topic, list_offset, produce, produce_request
from tests.streamlab.lab03_log.wire.test_faults import ATTRIBUTES_AT, CORRUPT, GOOD, LENGTH_AT, UNSUPPORTED_VERSION
from tests.streamlab.lab03_log.wire.test_faults import with_bytes as changed

UNSUPPORTED_CODEC = 76
MAX_TIMESTAMP_AT = 35
PLAIN = batch_of([(None, b"1"), (None, b"2"), (None, b"3")], [1000, 3000, 2000])
# The records of PLAIN, compressed by Kafka's client for Java 4.3.1; other clients write snappy without xerial's frames.
CODECS = {
    "gzip": (1, "1f8b08000000000000ffe36360606064326410605820cfc4c86404645ce067616432660000d98f62301a000000"),
    "snappy in frames": (
        2,
        "82534e415050590000000001000000010000001c1a640e000000010231001000a01f02010232001000d00f0401023300",
    ),
    "snappy": (2, "1a640e000000010231001000a01f02010232001000d00f0401023300"),
    "lz4": (3, "04224d186040821a0000800e000000010231001000a01f02010232001000d00f040102330000000000"),
    "zstd": (4, "28b52ffd0058d000000e000000010231001000a01f02010232001000d00f0401023300010000"),
}
IN_JAVA = sorted(CODECS.keys() - {"gzip"})


def compressed(name: str, cut_bytes: int = 0) -> bytes:
    """Return PLAIN with compressed records, the last `cut_bytes` of which are missing."""
    codec, records = CODECS[name]
    batch = PLAIN[:HEADER_BYTES] + bytes.fromhex(records)[: -cut_bytes or None]
    batch = changed(LENGTH_AT, struct.pack(">i", len(batch) - LENGTH_AT - 4), batch=batch)
    return changed(ATTRIBUTES_AT, struct.pack(">h", codec), batch=batch)


@pytest.mark.parametrize("batch", [PLAIN, *map(compressed, CODECS)], ids=["not compressed", *CODECS])
def test_the_first_record_that_is_not_older_is_found_for_any_codec(address: str, topic: str, batch: bytes) -> None:
    produce(address, topic, GOOD)
    produce(address, topic, batch)

    assert list_offset(address, topic, -2) == (0, -1, 0)
    assert list_offset(address, topic, -1) == (0, -1, 5)
    assert list_offset(address, topic, 500) == (0, 1000, 2)
    assert list_offset(address, topic, 1000) == (0, 1000, 2)
    assert list_offset(address, topic, 1500) == (0, 3000, 3)
    assert list_offset(address, topic, 3000) == (0, 3000, 3)
    assert list_offset(address, topic, 9999) == (0, -1, -1)
    assert list_offset(address, topic, -9) == (UNSUPPORTED_VERSION, -1, -1)


def test_a_batch_whose_header_names_a_time_that_no_record_has_is_skipped(address: str, topic: str) -> None:
    produce(address, topic, changed(MAX_TIMESTAMP_AT, struct.pack(">q", 9000), batch=PLAIN))
    produce(address, topic, batch_of([(None, b"4")], [9500]))

    assert list_offset(address, topic, 5000) == (0, 9500, 3)


@pytest.mark.parametrize("name", CODECS)
def test_records_are_decoded_from_a_batch_of_any_codec(name: str) -> None:
    assert records_of(compressed(name)) == records_of(PLAIN)


@pytest.mark.parametrize("name", CODECS)
def test_damaged_compressed_records_are_a_corrupt_batch(tmp_path: Path, name: str) -> None:
    damaged = compressed(name, cut_bytes=15)

    with pytest.raises(CorruptBatch):
        records_of(damaged)
    with WireServer(SimpleLog, tmp_path) as server:  # it ends without an error: the log did nothing wrong
        create_topic(server.address, "t")
        produce(server.address, "t", damaged)
        assert list_offset(server.address, "t", 1500)[0] == CORRUPT


@pytest.mark.parametrize("name", IN_JAVA)
def test_without_java_a_search_says_so_only_if_it_has_to_decode_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def no_java() -> None:
        raise MissingPrerequisite("Java 17 to 21 not found")

    monkeypatch.setattr(decompression, "find_java", no_java)
    decompression._gateway.cache_clear()
    with WireServer(SimpleLog, tmp_path) as server:
        create_topic(server.address, "t")
        produce(server.address, "t", compressed(name))

        assert list_offset(server.address, "t", 1000) == (0, 1000, 0)
        assert list_offset(server.address, "t", 1500)[0] == UNSUPPORTED_CODEC
        assert list_offset(server.address, "t", 9999) == (0, -1, -1)


def test_java_is_started_again_if_it_was_killed() -> None:
    records_of(compressed("lz4"))
    decompression._gateway().shutdown()
    with pytest.raises(decompression.UnsupportedCompressionTypeError):
        records_of(compressed("lz4"))

    assert records_of(compressed("lz4")) == records_of(PLAIN)


def test_a_producer_older_than_zstd_cannot_send_it(address: str, topic: str) -> None:
    answers = [ask(address, produce_request(topic, compressed("zstd")), version) for version in (6, 7)]

    assert [each.responses[0].partition_responses[0].error_code for each in answers] == [UNSUPPORTED_CODEC, 0]


def test_a_batch_of_an_unknown_codec_is_rejected(wire: WireServer) -> None:
    create_topic(wire.address, "t")

    assert produce(wire.address, "t", changed(ATTRIBUTES_AT, struct.pack(">h", 5))) == (UNSUPPORTED_CODEC, -1)
