"""Sequence numbers of idempotent producers: the cases that do not need a server."""

from streamlab.lab03_log.wire.sequences import NO_PRODUCER, Sequence, Sequences

LAST_NUMBER = 2**31 - 1


def test_zero_follows_the_last_sequence_number() -> None:
    sequences = Sequences()
    sequences.note(Sequence(7, 0, LAST_NUMBER - 1, 2), 100)

    assert sequences.offset_of_repeat(Sequence(7, 0, LAST_NUMBER - 1, 2)) == 100
    assert sequences.offset_of_repeat(Sequence(7, 0, 0, 5)) is None


def test_a_batch_may_contain_the_last_sequence_number_and_zero() -> None:
    sequences = Sequences()
    sequences.note(Sequence(7, 0, LAST_NUMBER, 3), 100)

    assert sequences.offset_of_repeat(Sequence(7, 0, 2, 1)) is None


def test_batches_without_a_producer_id_are_never_duplicates() -> None:
    sequences = Sequences()
    anonymous = Sequence(NO_PRODUCER, -1, -1, 1)
    sequences.note(anonymous, 100)

    assert sequences.offset_of_repeat(anonymous) is None
