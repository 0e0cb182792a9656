"""Validation of the bytes that a producer sends for a partition: exactly one batch, with a header valid for a log.

Only the header is checked, so the cost does not depend on the number of records. The errors are those of Apache
Kafka 4.3. Does not check the CRC; the log computes it when it writes.
"""

import struct

from kafka.errors import (
    CorruptRecordError,
    InvalidRecordError,
    MessageSizeTooLargeError,
    TransactionalIdAuthorizationFailedError,
    UnsupportedCompressionTypeError,
)

from streamlab.lab03_log.wire.batches import HEADER_BYTES, MAGIC

MAX_BATCH_BYTES = 1_048_588  # https://kafka.apache.org/documentation/#brokerconfigs_message.max.bytes
_LENGTH, _LENGTH_AT, _AFTER_LENGTH = struct.Struct(">i"), 8, 12
_MIN_LENGTH = 14  # the length of an empty message in the oldest format
_MAGIC_AT = 16
_FIELDS = struct.Struct(">hi")  # attributes, offset of the last record minus the base offset
_FIELDS_AT = 21
_BASE_OFFSET, _COUNT, _COUNT_AT = struct.Struct(">q"), struct.Struct(">i"), 57
_CODEC, _TRANSACTIONAL, _CONTROL = 0x07, 0x10, 0x20
ZSTD = 4  # the newest codec; the others have the numbers 1 to 3, and 0 is no compression


def one_batch(records: bytes | None, newest_codec: int = ZSTD) -> bytes:
    """Return the one whole batch that `records` begin with; the bytes after it must be too few for another batch.

    Raises CorruptRecordError, InvalidRecordError, MessageSizeTooLargeError, TransactionalIdAuthorizationFailedError,
    UnsupportedCompressionTypeError.
    """
    records = records or b""
    size_bytes = _size_at(records, 0)
    if size_bytes is None or _size_at(records, size_bytes) is not None:
        raise InvalidRecordError(f"expected exactly one whole batch, got {len(records)} bytes that are not")
    if records[_MAGIC_AT] != MAGIC:
        raise InvalidRecordError(f"expected a batch of format {MAGIC}, got one of format {records[_MAGIC_AT]}")
    _check_header(records, newest_codec)
    if size_bytes > MAX_BATCH_BYTES:
        raise MessageSizeTooLargeError(f"expected a batch of at most {MAX_BATCH_BYTES} bytes, got {size_bytes}")
    return records if size_bytes == len(records) else records[:size_bytes]


def _size_at(records: bytes, at: int) -> int | None:
    """Return the size of the batch that begins at `at`, or None if the batch is incomplete."""
    if len(records) - at <= _MAGIC_AT:
        return None
    length, magic = int(_LENGTH.unpack_from(records, at + _LENGTH_AT)[0]), records[at + _MAGIC_AT]
    if length < _MIN_LENGTH or magic > MAGIC:
        expected = f"a batch of length {_MIN_LENGTH} or more and format {MAGIC} or less"
        raise CorruptRecordError(f"expected {expected}, got length {length} and format {magic}")
    size_bytes = length + _AFTER_LENGTH
    return size_bytes if at + size_bytes <= len(records) else None


def _check_header(batch: bytes, newest_codec: int) -> None:
    if len(batch) < HEADER_BYTES:
        raise CorruptRecordError(f"expected a batch with a header of {HEADER_BYTES} bytes, got {len(batch)} bytes")
    attributes, last = _FIELDS.unpack_from(batch, _FIELDS_AT)
    if attributes & _CONTROL:
        raise InvalidRecordError("only a broker writes control batches")
    if attributes & _TRANSACTIONAL:
        raise TransactionalIdAuthorizationFailedError("got a transactional batch in a request without a transaction")
    if attributes & _CODEC > newest_codec:
        raise UnsupportedCompressionTypeError(f"expected a codec of 0 to {newest_codec}, got {attributes & _CODEC}")
    base, count = _BASE_OFFSET.unpack_from(batch)[0], _COUNT.unpack_from(batch, _COUNT_AT)[0]
    if base != 0 or count != last + 1 or count < 1:
        raise InvalidRecordError(f"expected records 0 to {last}, got {count} records from {base} on")
