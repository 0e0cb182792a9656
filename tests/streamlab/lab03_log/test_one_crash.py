"""The crash of the cells of `consume` and `deduplicate`, with a log in memory."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab03_log.one_crash import handled
from streamlab.lab03_log.wire.batches import Record, at_offset, records_of


class ListLog:
    def __init__(self, folder: Path) -> None:
        self.batches: list[list[Record]] = []

    def append(self, batch: bytes, records: int) -> None:
        self.batches.append(list(records_of(at_offset(batch, records * len(self.batches)))))

    def close(self) -> None: ...


def by_batches(log: ListLog, offsets: Any, handle: Callable[[Record], None], commit: str, max_bytes: int) -> None:
    for batch in log.batches[offsets.committed() // 2 :]:
        if commit == "before":
            offsets.commit(batch[-1].offset + 1)
        for record in batch:
            handle(record)
        if commit == "after":
            offsets.commit(batch[-1].offset + 1)


@pytest.mark.parametrize(
    ("dies_at", "commit", "offsets"),
    [
        (2, "before", [0, 1, 4, 5]),
        (3, "before", [0, 1, 2, 4, 5]),
        (2, "after", [0, 1, 2, 3, 4, 5]),
        (3, "after", [0, 1, 2, 2, 3, 4, 5]),
    ],
)
def test_the_machine_dies_once_and_goes_on_at_the_commit(dies_at: int, commit: str, offsets: list[int]) -> None:
    records = handled(ListLog, by_batches, dies_at, commit)

    assert [record.offset for record in records] == offsets
