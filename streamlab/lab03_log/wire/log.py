"""The interface that the server requires of a log; Lab 3's `PartitionLog` implements it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from streamlab.lab03_log.wire.batches import Batch


class Log(Protocol):
    """The records of one partition, in batches. One thread at a time uses it."""

    @property
    def start_offset(self) -> int:
        """The lowest offset that can be read."""

    @property
    def end_offset(self) -> int:
        """The offset that the next record gets."""

    def append(self, batch: bytes, records: int) -> int:
        """Write one batch and return the offset of its first record; raises `CorruptBatch`, OSError."""

    def read(self, offset: int, max_bytes: int) -> Sequence[Batch]:
        """Return whole batches, at least one, from the one with `offset` on.

        Raises `OffsetOutOfRange`, `CorruptBatch`.
        """

    def close(self) -> None:
        """Write everything to the disk, and return when that is done."""


OpenLog = Callable[[Path], Log]
