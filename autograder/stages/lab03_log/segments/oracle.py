"""The answers of the parts of a log from their definitions: sums of sizes and offsets, without files."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, takewhile
from typing import Any

from autograder.stages.lab03_log.log.cases_batches import Triple, bytes_of

Answer = dict[str, Any]
Case = dict[str, Any]


def sizes_of(batches: Sequence[Sequence[Triple]]) -> list[int]:
    """Return the bytes of each batch."""
    return [len(bytes_of(batch)) for batch in batches]


def recovered(case: Case) -> list[list[Any]]:
    """Return [bytes cut, bytes left, True, 0] for each damage; the bytes left are unchanged and whole batches."""
    return [_recovered(sizes_of(case["batches"]), *damage) for damage in case["damages"]]


def _recovered(sizes: list[int], how: str, amount: int) -> list[Any]:
    total, ends = sum(sizes), [0, *accumulate(sizes)]
    whole_until = {"cut": total - amount, "flip": total - amount, "tail": total, "whole": total, "no_file": 0}
    whole_until["misplaced"] = ends[amount] if how == "misplaced" else 0
    found = {"cut": total - amount, "tail": total + amount, "no_file": 0}.get(how, total)
    left = max(end for end in ends if end <= whole_until[how])
    return [found - left, left, True, 0]


def entries(case: Case) -> list[list[int]]:
    """Return [offset, position] of each batch that has an entry.

    Example: batches [[4, 0], [6, 60], [8, 120]] with index_bytes=100 -> [[8, 120]]
    """
    due: list[list[int]] = []
    for offset, position in case["batches"]:
        if position - (due[-1][1] if due else 0) >= case["index_bytes"]:
            due.append([offset, position])
    return due


def stored(case: Case) -> list[list[int]]:
    """Return the entries in the form of the file."""
    return [[offset - case["base_offset"], position] for offset, position in entries(case)]


def taken(case: Case) -> list[int]:
    """Return the last entry that the index can load from its file, or the start if the file cannot be right."""
    data, none = bytes.fromhex(case["stored_hex"] or ""), [case["base_offset"], 0]
    if not data or len(data) % 8:
        return none
    numbers = [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]
    relative, positions = [0, *numbers[::2]], [0, *numbers[1::2]]
    rising = all(each == sorted(set(each)) for each in (relative, positions))
    return [case["base_offset"] + relative[-1], positions[-1]] if rising and positions[-1] < case["log_bytes"] else none


def found(case: Case) -> list[list[int]]:
    """Return, for each offset in `asked`, the last entry at or before it."""
    known = [[case["base_offset"], 0], *entries(case)]
    return [[entry for entry in known if entry[0] <= offset or entry[1] == 0][-1] for offset in case["asked"]]


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
        if verb == "batches":
            return {"batches": [row for row in self._rows() if row[0] + row[1] > arguments[0]]}
        if verb == "newest":
            return {"newest_ms": max(when_ms for batch in self.batches for *_, when_ms in batch)}
        if verb == "delete":
            return {"files": []}
        self.torn_bytes = 40 if verb == "torn" else 0
        self.indexed_from = arguments[0] if verb == "reopen_at" else self.base
        return self.end() | ({} if verb == "torn" else {"flushed": True})

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


def listed(case: Case) -> list[Answer] | None:
    """Return the answer to each step of a list of segments; None if two segments do not follow each other."""
    there = [list(each) for each in case["segments"]]
    if any(older[1] != later[0] for older, later in pairwise(there)):
        return None
    answers, deleted = [], set[int]()
    for step in case["script"]:
        answer = _listed(there, deleted, case["segment_bytes"], *step)
        open_ones = [[base, size, at == len(there) - 1] for at, (base, _, size, _) in enumerate(there)]
        answers.append({**answer, "there": open_ones, "deleted": sorted(deleted)})
    return answers


def _listed(there: list[list[int]], deleted: set[int], segment_bytes: int, verb: str, *given: Any) -> Answer:
    active = there[-1]
    if verb in ("append", "append_fails"):
        rolls = active[2] > 0 and active[2] + given[0] > segment_bytes
        if verb == "append_fails":
            deleted.update([active[1]] if rolls else [])
            return {"rejected": given[1]}
        if rolls:
            there.append(active := [active[1], active[1], 0, 0])
            deleted.discard(active[0])
        active[1], active[2] = active[1] + given[1], active[2] + given[0]
        return {"offset": active[1] - given[1]}
    if verb == "since":
        return {"since": [base for base, end, *_ in there if end > given[0] or base == active[0]]}
    if given[1] < 0:
        return {"rejected": "ValueError"}
    old = list(takewhile(lambda each: each[3] < given[0] - given[1], there[:-1]))
    deleted.update(each[0] for each in old)
    del there[: len(old)]
    return {"expired": len(old)}
