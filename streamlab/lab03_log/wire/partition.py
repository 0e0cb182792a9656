"""One partition: its log, the sequence numbers of its producers, and the fetch requests that wait for it to grow."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from streamlab.lab03_log.wire.batch_validation import ZSTD, one_batch
from streamlab.lab03_log.wire.batches import Batch, CorruptBatch
from streamlab.lab03_log.wire.log import Log
from streamlab.lab03_log.wire.sequences import Sequences, sequence_of

READ_BYTES = 1 << 20


class Partition:
    """One partition; only the server's one thread uses it. Errors of the log pass through."""

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
        """The offset that the next record gets."""
        return _offset("end_offset", self._log.end_offset)

    def append(self, records: bytes | None, newest_codec: int = ZSTD) -> int:
        """Write the one batch in `records`, unless it is a repeat, and return the offset of its first record.

        Raises what `one_batch`, `Sequences.offset_of_repeat` and the log's `append` raise.
        """
        batch = one_batch(records, newest_codec)
        sequence = sequence_of(batch)
        offset = self._sequences.offset_of_repeat(sequence)
        if offset is None:
            offset = _offset("append()", self._log.append(batch, sequence.records))
            self._sequences.note(sequence, offset)
            for grown in self.waiting:
                grown.set()
        return offset

    def read(self, offset: int, max_bytes: int) -> Sequence[Batch]:
        """Return whole batches from the one with `offset` on, as the log returns them."""
        return self._log.read(offset, max_bytes)

    def pieces_from(self, offset: int) -> Iterator[Sequence[Batch]]:
        """Yield all batches from `offset` on, in pieces of about a megabyte."""
        while batches := self.read(offset, READ_BYTES):
            yield batches
            offset = batches[-1].base_offset + batches[-1].records

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def _readable(self) -> Iterator[Batch]:
        """Yield the batches up to the first damaged one; a consumer that reads it gets CorruptBatch."""
        try:
            for batches in self.pieces_from(self.start_offset):
                yield from batches
        except CorruptBatch:
            return


@contextmanager
def growth_of(partitions: Iterable[Partition]) -> Iterator[asyncio.Event]:
    """Yield an event that is set whenever one of the partitions grows."""
    grown, watched = asyncio.Event(), list(partitions)
    for each in watched:
        each.waiting.add(grown)
    try:
        yield grown
    finally:
        for each in watched:
            each.waiting.discard(grown)


def _offset(where: str, value: int) -> int:
    """Return the offset that a log returned.

    Raises TypeError for an invalid one; otherwise the error would show only when an answer cannot be encoded.
    """
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"{where} of the log must be an offset, a whole number from 0 on; got {value!r}")
    return value
