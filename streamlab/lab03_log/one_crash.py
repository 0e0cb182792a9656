"""A consumer whose machine dies once: which records does it handle (Lab 3)?"""

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from streamlab.lab03_log.wire.batches import Record, batch_of


def handled(
    partition_log: Callable[[Path], Any], consume: Callable[..., Any], dies_at: int, commit: str
) -> list[Record]:
    """Return which of six records, in batches of two, are handled if the machine dies once and is started again.

    It dies while it handles the record at offset `dies_at`. Committed offsets survive.
    Example: offsets 0 to 5 with dies_at=3, commit="before" -> those of 0, 1, 2, 4, 5
    """
    done: list[Record] = []
    committed, deaths = [0], iter([dies_at])

    def handle(record: Record) -> None:
        if record.offset == dies_at and next(deaths, None) is not None:
            raise SystemError("the machine dies")
        done.append(record)

    offsets = SimpleNamespace(committed=lambda: committed[-1], commit=committed.append)
    with TemporaryDirectory() as folder, closing(partition_log(Path(folder))) as log:
        for _ in range(3):
            log.append(batch_of([(None, b"5"), (None, b"5")]), records=2)
        for _ in range(2):
            with suppress(SystemError):
                consume(log, offsets, handle, commit, max_bytes=1)
    return done
