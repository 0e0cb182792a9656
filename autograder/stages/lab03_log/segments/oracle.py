"""The answers of the parts of a log from their definitions: sums of sizes and offsets, without files."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from autograder.stages.lab03_log.log.cases_batches import Triple, bytes_of

Answer = dict[str, Any]
Case = dict[str, Any]


def sizes_of(batches: Sequence[Sequence[Triple]]) -> list[int]:
    """Return the bytes of each batch."""
    return [len(bytes_of(batch)) for batch in batches]


class SegmentModel:
    """A segment in memory: all its batches, in order."""

    def __init__(self, base_offset: int) -> None:
        self.base, self.batches, self.torn_bytes = base_offset, list[Sequence[Triple]](), 0
        self.indexed_from = base_offset  # where the walk began when the segment was last opened

    def end(self) -> Answer:
        """Return the attributes of the segment, and the length of its file."""
        size = sum(sizes_of(self.batches))
        return {"end": self.base + sum(map(len, self.batches)), "size": size, "file_bytes": size + self.torn_bytes}

    def answer(self, verb: str, *arguments: Any) -> Answer:
        """Return the answer to one step."""
        if verb == "append":
            offset = self.end()["end"]
            self.batches.append(arguments[-1])
            return {"offset": offset, **self.end()}
        if verb in ("append_broken", "disk_full", "index_full"):
            return {"rejected": "CorruptBatch" if verb == "append_broken" else "OSError", **self.end()}
        if verb == "batches" and self.torn_bytes:
            return {"rejected": "CorruptBatch"}  # after the batches before the half one
        if verb == "batches":
            return {"batches": [row for row in self._rows() if row[0] + row[1] > arguments[0]]}
        if verb == "newest":
            return {"newest_ms": max(when_ms for batch in self.batches for *_, when_ms in batch)}
        if verb == "delete":
            return {"files_left": [], "still_open": 0}
        if verb == "close":
            return {"saved": True}
        self.torn_bytes = 40 if verb == "torn" else 0
        self.indexed_from = arguments[0] if verb == "reopen_at" else self.base
        return self.end() | {"flushed" if verb.startswith("reopen") else "saved": True}

    def _rows(self) -> Iterator[list[Any]]:
        base = self.base
        for batch, size in zip(self.batches, sizes_of(self.batches), strict=True):
            records = [[offset, when_ms, key, value] for offset, (key, value, when_ms) in enumerate(batch, base)]
            yield [base, len(batch), size, records]
            base += len(batch)

    def placed(self) -> list[list[int]]:
        """Return [offset, position] of each batch that the index has got since the segment was last opened."""
        rows = list(self._rows())
        positions = accumulate((row[2] for row in rows), initial=0)
        placed = [[row[0], position] for row, position in zip(rows, positions, strict=False)]
        return [each for each in placed if each[0] >= self.indexed_from]


def written(case: Case) -> tuple[list[Answer], list[list[int]], int]:
    """Return the answer to each step of a script, then the batches that the index has got, and the end offset."""
    segment = SegmentModel(case["base_offset"])
    answers = [segment.answer(*step) for step in case["script"]]
    return answers, segment.placed(), segment.end()["end"]
