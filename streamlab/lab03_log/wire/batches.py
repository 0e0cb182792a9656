"""Record batches in Kafka's message format v2: the same bytes are stored in a log and sent over the wire.

A batch begins with a header of 61 bytes. Its CRC covers everything after the CRC field, but neither the base offset
nor the length, so a broker can assign a batch its offset without computing the CRC again.
Source: https://kafka.apache.org/documentation/#recordbatch. kafka-python packs and unpacks the records.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crc32c import crc32c
from kafka.errors import UnsupportedCompressionTypeError
from kafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

from streamlab.lab03_log.wire.decompression import decompressed
from streamlab.sources.topics import Record as Record  # a batch holds records

HEADER_BYTES = 61
_HEADER = struct.Struct(">qiibIhiqqqhii")
_BASE_OFFSET = struct.Struct(">q")
_AFTER_LENGTH = 12  # the length field counts from here
_AFTER_CRC = 21
MAGIC = 2


class Batch(NamedTuple):
    """A batch as a log returns it: its first offset, its number of offsets, and all of its bytes."""

    base_offset: int
    records: int
    data: bytes


class Header(NamedTuple):
    """The fields of a batch's header that a log needs; `size_bytes` is the size of the whole batch, header included."""

    base_offset: int
    size_bytes: int
    crc: int
    records: int
    max_timestamp_ms: int


class OffsetOutOfRange(LookupError):
    """The log does not hold this offset: it has expired, or it is not written yet."""

    def __init__(self, offset: int, start: int, end: int) -> None:
        super().__init__(f"offset {offset}: the log holds {start} to {end - 1}, and {end} is the next")
        self.offset, self.start, self.end = offset, start, end


class CorruptBatch(ValueError):
    """The bytes are not a whole batch, or their CRC differs from the one in the header."""


def header_of(data: bytes, at: int = 0) -> Header | None:
    """Return the header that begins at byte `at`, or None if fewer than 61 bytes follow or they are not a header."""
    if len(data) - at < HEADER_BYTES:
        return None
    base, length, _, magic, crc, _, last_delta, _, newest_ms, *_ = _HEADER.unpack_from(data, at)
    size_bytes = length + _AFTER_LENGTH
    if magic != MAGIC or size_bytes < HEADER_BYTES or last_delta < 0:
        return None
    return Header(base, size_bytes, crc, last_delta + 1, newest_ms)


def crc_of(batch: bytes) -> int:
    """Return the CRC-32C of a whole batch, computed from its bytes, for comparison with the header's."""
    return crc32c(memoryview(batch)[_AFTER_CRC:])


def at_offset(batch: bytes, base_offset: int) -> bytes:
    """Return the same batch with the base offset `base_offset`."""
    return _BASE_OFFSET.pack(base_offset) + batch[_BASE_OFFSET.size :]


def batch_of(records: Sequence[tuple[bytes | None, bytes | None]], timestamps_ms: Iterable[int] | None = None) -> bytes:
    """Return a batch of (key, value) pairs that begins at offset 0; without timestamps all timestamps are 0.

    Raises ValueError if there is no record.
    """
    if not records:
        raise ValueError("expected at least one record for a batch, got none")
    times = [0] * len(records) if timestamps_ms is None else list(timestamps_ms)
    room = HEADER_BYTES + sum(len(key or b"") + len(value or b"") + 64 for key, value in records)
    builder = DefaultRecordBatchBuilder(
        magic=MAGIC,
        compression_type=0,
        is_transactional=False,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=room,
    )
    for offset, ((key, value), when_ms) in enumerate(zip(records, times, strict=True)):
        builder.append(offset=offset, timestamp=when_ms, key=key, value=value, headers=[])
    return bytes(builder.build())


def records_of(batch: bytes) -> list[Record]:
    """Return the records of one batch, with offsets from its header; compressed batches are decompressed.

    Raises CorruptBatch if the records are damaged, UnsupportedCompressionTypeError if nothing here can decompress them.
    """
    try:
        unpacked = DefaultRecordBatch(decompressed(batch))
        return [Record(each.offset, each.timestamp, each.key, each.value) for each in unpacked]
    except UnsupportedCompressionTypeError:
        raise
    except Exception as problem:  # of any type: kafka-python decodes without validation
        raise CorruptBatch(f"the records of a batch cannot be decoded: {problem}") from problem
