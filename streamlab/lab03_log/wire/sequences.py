"""Idempotent producers: a batch that is sent again because its acknowledgement was lost is not written twice.

A producer with an id numbers its records for each partition; a batch carries the id, an epoch and the sequence number
of its first record. A partition remembers the last five batches of each producer, as Kafka does
(https://kafka.apache.org/documentation/#producerconfigs_enable.idempotence: at most five requests are in flight).
"""

import struct
from collections import deque
from typing import NamedTuple

from kafka.errors import InvalidProducerEpochError, InvalidRecordError, OutOfOrderSequenceNumberError

REMEMBERED_BATCHES = 5
NO_PRODUCER = -1
_PRODUCER = struct.Struct(">qhii")  # id, epoch, number of the first record, records
_PRODUCER_AT = 43
_NUMBERS = 1 << 31  # sequence numbers wrap around to 0


class Sequence(NamedTuple):
    """The producer fields of a batch's header; `first` is the sequence number of its first record."""

    producer_id: int
    epoch: int
    first: int
    records: int


class _Written(NamedTuple):
    first: int
    records: int
    offset: int


class _Producer:
    """One producer's last batches in one epoch."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.written: deque[_Written] = deque(maxlen=REMEMBERED_BATCHES)

    def next_number(self) -> int:
        last = self.written[-1]
        return (last.first + last.records) % _NUMBERS


def sequence_of(batch: bytes) -> Sequence:
    """Return the producer fields in the header of a whole batch."""
    return Sequence(*_PRODUCER.unpack_from(batch, _PRODUCER_AT))


class Sequences:
    """The producers of one partition."""

    def __init__(self) -> None:
        self._producers: dict[int, _Producer] = {}

    def offset_of_repeat(self, batch: Sequence) -> int | None:
        """Return the offset at which this batch was written before, or None if it is the next new one.

        Raises OutOfOrderSequenceNumberError for a batch that leaves a gap, InvalidProducerEpochError for a batch of a
        past epoch, InvalidRecordError for a producer that does not number its records. An unknown producer may begin
        with any number, since its earlier batches may have expired.
        """
        if batch.producer_id == NO_PRODUCER:
            return None
        if batch.first < 0:
            raise InvalidRecordError(f"producer {batch.producer_id} does not number its records: {batch.first}")
        producer = self._producers.get(batch.producer_id)
        if producer is None:
            return None
        for before in producer.written:
            if (producer.epoch, before.first, before.records) == (batch.epoch, batch.first, batch.records):
                return before.offset
        _must_be_next(producer, batch)
        return None

    def note(self, batch: Sequence, offset: int) -> None:
        """Remember that this batch was written at `offset`."""
        if batch.producer_id == NO_PRODUCER:
            return
        producer = self._producers.get(batch.producer_id)
        if producer is None or producer.epoch != batch.epoch:
            producer = self._producers[batch.producer_id] = _Producer(batch.epoch)
        producer.written.append(_Written(batch.first, batch.records, offset))


def _must_be_next(producer: _Producer, batch: Sequence) -> None:
    if batch.epoch < producer.epoch:
        raise InvalidProducerEpochError(f"epoch {batch.epoch} of producer {batch.producer_id} has passed")
    expected = producer.next_number() if batch.epoch == producer.epoch else 0
    if batch.first != expected:
        raise OutOfOrderSequenceNumberError(
            f"producer {batch.producer_id}: expected record {expected} next, got {batch.first}"
        )
