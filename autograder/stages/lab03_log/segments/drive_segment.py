"""Run a script on a learner's segment, with an index double that stores no entries and records its calls."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab03_log.log.drive_batches import answered, as_row, batch_from, broken_batch, whole_number
from autograder.stages.lab03_log.log.drive_files import append_bytes, files_end_at, flip_a_bit, is_synced, open_files_in


class IndexDouble:
    """An index with the first batch and perhaps a last entry; while it is `full`, `add` raises OSError."""

    def __init__(self, base_offset: int, last: tuple[int, int] | None = None) -> None:
        self._first, self.full = (base_offset, 0), False
        self._last = last or self._first
        self.added: list[Any] = []
        self.asked: list[Any] = []

    def load(self, log_bytes: int) -> tuple[int, int]:
        """Return the last entry that the case gives, or the first batch."""
        return self._last

    def add(self, offset: int, position: int) -> None:
        """Record the batch, or fail."""
        if self.full:
            raise OSError("no room for an entry")
        self.added.append(plain([offset, position]))

    def find(self, offset: int) -> tuple[int, int]:
        """Return the last entry at or before the offset, of the two that this index has."""
        self.asked.append(plain(offset))
        return self._last if offset >= self._last[0] else self._first


class SegmentScript:
    """One segment that plays the steps of a case."""

    def __init__(self, make: Any, log: Path, base_offset: int) -> None:
        self._make, self._log, self._base = make, log, base_offset
        self._open()

    def _open(self, last: tuple[int, int] | None = None) -> None:
        self._index = IndexDouble(self._base, last)
        self._segment = self._make(self._log, self._base, self._index)

    def rows(self, case: dict[str, Any]) -> Rows:
        """Return the answer to each step, and the calls of the index since the segment was last opened."""
        answers = [getattr(self, f"_{name}")(*arguments) for name, *arguments in case["script"]]
        return {"answers": answers, "added": self._index.added, "asked": self._index.asked}

    def _append(self, records: list[Any]) -> Rows:
        return self._appended(batch_from(records), len(records))

    def _append_broken(self, how: str, records: list[Any]) -> Rows:
        return self._appended(*broken_batch(how, records))

    def _appended(self, batch: bytes, records: int) -> Rows:
        rows = answered(lambda: {"offset": whole_number(self._segment.append(batch, records))})
        return rows | self._end()

    def _disk_full(self, bytes_left: int, records: list[Any]) -> Rows:
        with files_end_at(self._log.stat().st_size + bytes_left):
            return self._append(records)

    def _index_full(self, records: list[Any]) -> Rows:
        with self._full_index():
            return self._append(records)

    @contextmanager
    def _full_index(self) -> Iterator[None]:
        self._index.full = True
        yield
        self._index.full = False

    def _batches(self, offset: int) -> Rows:
        def read() -> Rows:
            stored = self._segment.batches(offset)
            if not hasattr(stored, "__iter__"):
                return {"returned": type_name(stored)}
            return {"batches": [as_row(each.header.base_offset, each.header.records, each.read()) for each in stored]}

        return answered(read)

    def _newest(self) -> Rows:
        return {"newest_ms": whole_number(self._segment.newest_ms())}

    def _reopen_at(self, offset: int, position: int) -> Rows:
        return self._reopen((offset, position))

    def _reopen(self, last: tuple[int, int] | None = None) -> Rows:
        self._segment.flush()
        flushed = is_synced(self._log)
        for _ in range(2):  # a second close is valid
            self._segment.close()
        self._open(last)
        return self._end() | {"flushed": flushed}

    def _torn(self) -> Rows:
        """Append half a batch, as a writer that dies leaves it; opening the segment cuts nothing."""
        closed = self._close()
        append_bytes(self._log, batch_from([[None, "torn", 0]])[:40])
        self._open()
        return self._end() | closed

    def _flipped(self, position: int) -> Rows:
        """Flip a bit of the value at this position; opening the segment verifies no CRC."""
        closed = self._close()
        flip_a_bit(self._log, position)
        self._open()
        return self._end() | closed

    def _close(self) -> Rows:
        self._segment.close()
        return {"saved": is_synced(self._log)}

    def _delete(self, has_index: bool) -> Rows:
        if has_index:
            self._log.with_suffix(".index").touch()

        def deleted() -> Rows:
            self._segment.delete()
            folder = self._log.parent
            return {"files_left": sorted(path.name for path in folder.iterdir()), "still_open": open_files_in(folder)}

        return answered(deleted)

    def _end(self) -> Rows:
        """Return the attributes of the segment, and the length of its file."""
        end, size = whole_number(self._segment.end_offset), whole_number(self._segment.size_bytes)
        return {"end": end, "size": size, "file_bytes": self._log.stat().st_size}
