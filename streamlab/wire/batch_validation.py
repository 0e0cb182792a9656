"""What a producer sent for a partition must be: exactly one batch, with a header that may go into a log.

Only the header is looked at, so the cost does not depend on how many records there are. The errors are those of Apache
Kafka 4.3. Keeps out: the CRC, which the log computes when it writes.
"""

import struct

from kafka.errors import (
    CorruptRecordError,
    InvalidRecordError,
    MessageSizeTooLargeError,
    TransactionalIdAuthorizationFailedError,
)

from streamlab.wire.batches import HEADER_BYTES, MAGIC

MAX_BATCH_BYTES = 1_048_588  # https://kafka.apache.org/documentation/#brokerconfigs_message.max.bytes
_LENGTH, _LENGTH_AT, _BEHIND_LENGTH = struct.Struct(">i"), 8, 12
_LEAST_LENGTH = 14  # that of an empty message of the oldest format
_MAGIC_AT = 16
_FIELDS = struct.Struct(">hi")  # attributes, offset of the last record minus the base offset
_FIELDS_AT = 21
_BASE_OFFSET, _COUNT, _COUNT_AT = struct.Struct(">q"), struct.Struct(">i"), 57
_TRANSACTIONAL, _CONTROL = 0x10, 0x20


def one_batch(records: bytes | None) -> bytes:
    """The one whole batch that `records` begin with; what follows must be too little for another.

    Raises CorruptRecordError, InvalidRecordError, MessageSizeTooLargeError, TransactionalIdAuthorizationFailedError.
    """
    records = records or b""
    size_bytes = _size_at(records, 0)
    if size_bytes is None or _size_at(records, size_bytes) is not None:
        raise InvalidRecordError(f"expected exactly one whole batch, got {len(records)} bytes that are not")
    if records[_MAGIC_AT] != MAGIC:
        raise InvalidRecordError(f"expected a batch of format {MAGIC}, got one of format {records[_MAGIC_AT]}")
    _look_at_header(records)
    if size_bytes > MAX_BATCH_BYTES:
        raise MessageSizeTooLargeError(f"a batch may have {MAX_BATCH_BYTES} bytes, this one has {size_bytes}")
    return records if size_bytes == len(records) else records[:size_bytes]


def _size_at(records: bytes, at: int) -> int | None:
    """The size of the batch that begins at `at`; None where it is not all there."""
    if len(records) - at <= _MAGIC_AT:
        return None
    length, magic = int(_LENGTH.unpack_from(records, at + _LENGTH_AT)[0]), records[at + _MAGIC_AT]
    if length < _LEAST_LENGTH or magic > MAGIC:
        raise CorruptRecordError(f"a batch of length {length} and format {magic}")
    size_bytes = length + _BEHIND_LENGTH
    return size_bytes if at + size_bytes <= len(records) else None


def _look_at_header(batch: bytes) -> None:
    if len(batch) < HEADER_BYTES:
        raise CorruptRecordError(f"a batch has a header of {HEADER_BYTES} bytes, got {len(batch)}")
    attributes, last = _FIELDS.unpack_from(batch, _FIELDS_AT)
    if attributes & _CONTROL:
        raise InvalidRecordError("only a broker writes control batches")
    if attributes & _TRANSACTIONAL:
        raise TransactionalIdAuthorizationFailedError("a batch of a transaction in a request of none")
    base, count = _BASE_OFFSET.unpack_from(batch)[0], _COUNT.unpack_from(batch, _COUNT_AT)[0]
    if base != 0 or count != last + 1 or count < 1:
        raise InvalidRecordError(f"expected records 0 to {last}, got {count} records from {base} on")
