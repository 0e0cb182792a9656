"""What the server asks of a log: the interface that Lab 3's `PartitionLog` has.

Keeps out: any log.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from streamlab.wire.batches import Batch


class Log(Protocol):
    """The records of one partition, in batches. It is used by one thread at a time."""

    @property
    def start_offset(self) -> int:
        """The lowest offset that can be read."""

    @property
    def end_offset(self) -> int:
        """The next offset to be given."""

    def append(self, batch: bytes, records: int) -> int:
        """Write one batch and return the offset of its first record; `CorruptBatch`, OSError."""

    def read(self, offset: int, max_bytes: int) -> Sequence[Batch]:
        """Whole batches from the one with `offset` on, at least one of them; `OffsetOutOfRange`, `CorruptBatch`."""

    def close(self) -> None:
        """Everything is on the disk when it returns."""


OpenLog = Callable[[Path], Log]
