"""One partition: its log, what it remembers of producers, and who waits for it to grow.

Keeps out: what a log is (log.py), which partitions there are (topics.py), requests and answers.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from streamlab.wire.batch_validation import one_batch
from streamlab.wire.batches import Batch, CorruptBatch
from streamlab.wire.log import Log
from streamlab.wire.sequences import Sequences, sequence_of

READ_BYTES = 1 << 20


class Partition:
    """All use of it is in the server's one thread. Whatever the log raises passes through."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._sequences = Sequences()
        self.waiting: set[asyncio.Event] = set()
        for batch in self._readable():
            self._sequences.note(sequence_of(batch.data), batch.base_offset)

    @property
    def start_offset(self) -> int:
        """The lowest offset that can be read."""
        return _offset("start_offset", self._log.start_offset)

    @property
    def end_offset(self) -> int:
        """The next offset to be given."""
        return _offset("end_offset", self._log.end_offset)

    def append(self, records: bytes | None) -> int:
        """Write the one batch that `records` are, unless it is there already; returns the offset of its first record.

        Raises what `one_batch`, `Sequences.offset_of_repeat` and the log's `append` raise.
        """
        batch = one_batch(records)
        sequence = sequence_of(batch)
        offset = self._sequences.offset_of_repeat(sequence)
        if offset is None:
            offset = _offset("append()", self._log.append(batch, sequence.records))
            self._sequences.note(sequence, offset)
            for grown in self.waiting:
                grown.set()
        return offset

    def read(self, offset: int, max_bytes: int) -> Sequence[Batch]:
        """Whole batches from the one with `offset` on, as the log gives them."""
        return self._log.read(offset, max_bytes)

    def pieces_from(self, offset: int) -> Iterator[Sequence[Batch]]:
        """Everything from `offset` on, in pieces of about a megabyte."""
        while batches := self.read(offset, READ_BYTES):
            yield batches
            offset = batches[-1].base_offset + batches[-1].records

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def _readable(self) -> Iterator[Batch]:
        """The batches up to the first that is damaged; a reader who comes there is told so."""
        try:
            for batches in self.pieces_from(self.start_offset):
                yield from batches
        except CorruptBatch:
            return


@contextmanager
def growth_of(partitions: Iterable[Partition]) -> Iterator[asyncio.Event]:
    """An event that is set whenever one of the partitions grows."""
    grown, watched = asyncio.Event(), list(partitions)
    for each in watched:
        each.waiting.add(grown)
    try:
        yield grown
    finally:
        for each in watched:
            each.waiting.discard(grown)


def _offset(where: str, given: int) -> int:
    """What a log gave as an offset, if it can be one; else the error shows only when an answer cannot be encoded."""
    if not isinstance(given, int) or given < 0:
        raise TypeError(f"{where} of the log must be an offset, a whole number from 0 on; got {given!r}")
    return given
