"""Record batches, also checked with kafka-python's reader, and the sequence numbers of their producers."""

import pytest
from kafka.record import MemoryRecords

from streamlab.lab03_log.wire.batches import HEADER_BYTES, at_offset, batch_of, crc_of, header_of, records_of
from streamlab.lab03_log.wire.sequences import NO_PRODUCER, Sequence, Sequences

PAIRS = [(b"se", b"hej"), (None, b"x"), (b"fi", None)]


def test_the_header_has_the_size_record_count_and_newest_timestamp_of_a_batch() -> None:
    batch = batch_of(PAIRS, [5, 9, 7])
    header = header_of(batch)
    assert header is not None
    assert (header.base_offset, header.size_bytes, header.records, header.max_timestamp_ms) == (0, len(batch), 3, 9)


def test_the_crc_of_a_batch_is_right_and_does_not_depend_on_its_offset() -> None:
    batch = batch_of(PAIRS)
    moved = at_offset(batch, 1_000)
    header = header_of(moved)
    assert header is not None
    assert header.base_offset == 1_000
    assert crc_of(batch) == crc_of(moved) == header.crc
    assert crc_of(batch[:-1] + b"!") != header.crc


def test_records_are_decoded_with_offsets_keys_values_and_times() -> None:
    got = records_of(at_offset(batch_of(PAIRS, [5, 9, 7]), 40))
    assert [tuple(each) for each in got] == [(40, 5, b"se", b"hej"), (41, 9, None, b"x"), (42, 7, b"fi", None)]


def test_kafka_python_reads_the_batches() -> None:
    batch = MemoryRecords(at_offset(batch_of(PAIRS), 3)).next_batch()
    assert batch is not None
    assert batch.validate_crc()
    assert [(each.offset, each.key, each.value) for each in batch] == [(3, *PAIRS[0]), (4, *PAIRS[1]), (5, *PAIRS[2])]


@pytest.mark.parametrize("wrong", [b"", b"x" * (HEADER_BYTES - 1), b"\x00" * HEADER_BYTES, b"\xff" * 100])
def test_bytes_that_are_not_a_header_give_none(wrong: bytes) -> None:
    assert header_of(wrong) is None


def test_an_empty_batch_is_rejected() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        batch_of([])


LAST_NUMBER = 2**31 - 1


@pytest.mark.parametrize(
    ("noted", "asked", "offset"),
    [
        (Sequence(7, 0, LAST_NUMBER - 1, 2), Sequence(7, 0, LAST_NUMBER - 1, 2), 100),
        (Sequence(7, 0, LAST_NUMBER - 1, 2), Sequence(7, 0, 0, 5), None),  # zero follows the last number
        (Sequence(7, 0, LAST_NUMBER, 3), Sequence(7, 0, 2, 1), None),  # a batch may contain both
        (Sequence(NO_PRODUCER, -1, -1, 1), Sequence(NO_PRODUCER, -1, -1, 1), None),  # never a duplicate
    ],
)
def test_a_batch_is_a_duplicate_by_its_sequence_number(noted: Sequence, asked: Sequence, offset: int | None) -> None:
    sequences = Sequences()
    sequences.note(noted, 100)

    assert sequences.offset_of_repeat(asked) == offset
