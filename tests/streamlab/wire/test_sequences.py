"""The numbers of idempotent producers, where two servers need not be asked."""

from streamlab.wire.sequences import NO_PRODUCER, Sequence, Sequences

LAST_NUMBER = 2**31 - 1


def test_behind_the_last_number_comes_zero() -> None:
    sequences = Sequences()
    sequences.note(Sequence(7, 0, LAST_NUMBER - 1, 2), 100)

    assert sequences.offset_of_repeat(Sequence(7, 0, LAST_NUMBER - 1, 2)) == 100
    assert sequences.offset_of_repeat(Sequence(7, 0, 0, 5)) is None


def test_a_batch_may_hold_the_last_number_and_zero() -> None:
    sequences = Sequences()
    sequences.note(Sequence(7, 0, LAST_NUMBER, 3), 100)

    assert sequences.offset_of_repeat(Sequence(7, 0, 2, 1)) is None


def test_batches_without_a_producer_are_never_taken_for_each_other() -> None:
    sequences = Sequences()
    anonymous = Sequence(NO_PRODUCER, -1, -1, 1)
    sequences.note(anonymous, 100)

    assert sequences.offset_of_repeat(anonymous) is None
