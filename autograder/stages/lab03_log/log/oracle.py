"""The answers of a partition's log from its definition: batches in a list of segments, without files.

A case is a script of steps; `answers` plays it. Damage has the effect that the definition describes: the last segment
ends before its first batch that is not whole; an older segment keeps its batches and returns none that is corrupt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.stages.lab03_log.log.cases_batches import NOT_COVERED, Triple, bytes_of

Answer = dict[str, Any]

SLACK_BYTES = 8192


class AmbiguousCase(ValueError):
    """Damage after which correct logs may differ."""


@dataclass
class PlacedBatch:
    """A batch in its segment: `position` is that of its first byte."""

    base_offset: int
    triples: Sequence[Triple]
    size_bytes: int
    position: int
    corrupt: bool = False

    @property
    def next_offset(self) -> int:
        """The offset after its last record."""
        return self.base_offset + len(self.triples)

    @property
    def end_position(self) -> int:
        """The position after its last byte."""
        return self.position + self.size_bytes


@dataclass
class Segment:
    """The batches of one file."""

    base_offset: int
    batches: list[PlacedBatch] = field(default_factory=list)

    @property
    def size_bytes(self) -> int:
        """The length of its file."""
        return self.batches[-1].end_position if self.batches else 0

    @property
    def name(self) -> str:
        """The name of its file. Example: Segment(3).name -> "00000000000000000003.log"."""
        return f"{self.base_offset:020d}.log"

    def index(self, index_bytes: int) -> list[list[int]]:
        """Return [offset from the segment's base, position] of each batch that has an entry."""
        entries: list[list[int]] = []
        for batch in self.batches:
            last = entries[-1][1] if entries else 0
            if batch.position - last >= index_bytes:
                entries.append([batch.base_offset - self.base_offset, batch.position])
        return entries


class Log:
    """A log in memory that keeps everything except expired segments."""

    def __init__(self, segment_bytes: int, index_bytes: int) -> None:
        self.segment_bytes, self.index_bytes = segment_bytes, index_bytes
        self.segments = [Segment(0)]

    @property
    def start_offset(self) -> int:
        """The lowest offset that can be read."""
        return self.segments[0].base_offset

    @property
    def end_offset(self) -> int:
        """The offset of the next record."""
        last = self.segments[-1]
        return last.batches[-1].next_offset if last.batches else last.base_offset

    def append(self, triples: Sequence[Triple]) -> Answer:
        """Return the offset of the batch; a new segment begins if the active one would become too large."""
        size, base, last = len(bytes_of(triples)), self.end_offset, self.segments[-1]
        if last.batches and last.size_bytes + size > self.segment_bytes:
            self.segments.append(last := Segment(base))
        last.batches.append(PlacedBatch(base, triples, size, last.size_bytes))
        return {"offset": base}

    def append_broken(self, triples: Sequence[Triple]) -> Answer:
        """Return a rejection."""
        return {"rejected": "CorruptBatch"}

    def disk_full(self, bytes_left: int, triples: Sequence[Triple]) -> Answer:
        """Return a rejection; AmbiguousCase if the batch fits into the bytes that are left."""
        if len(bytes_of(triples)) <= bytes_left:
            raise AmbiguousCase("the batch would fit; the rule does not say whether its index entry does")
        return {"rejected": "OSError"}

    def no_room_for_a_segment(self, bytes_left: int, triples: Sequence[Triple]) -> Answer:
        """Return a rejection; no new segment begins."""
        if self.segments[-1].size_bytes + len(bytes_of(triples)) <= self.segment_bytes:
            raise AmbiguousCase("the batch needs no new segment")
        return self.disk_full(bytes_left, triples)

    def read(self, offset: int, max_bytes: int) -> Answer:
        """Return batches as rows and how many bytes may be read for them, or the rejection."""
        if max_bytes < 1:
            return {"rejected": "ValueError"}
        if not self.start_offset <= offset <= self.end_offset:
            return {"rejected": "OffsetOutOfRange", "start": self.start_offset, "end": self.end_offset}
        found = [(each, at) for each in self.segments for at in each.batches if at.next_offset > offset]
        given: list[PlacedBatch] = []
        for _, batch in found:
            if batch.corrupt or (given and sum(each.size_bytes for each in [*given, batch]) > max_bytes):
                break
            given.append(batch)
        if found and not given:
            segment, batch = found[0]
            return {"rejected": "CorruptBatch", "file": segment.name, "position": batch.position}
        return {"batches": [_as_row(each) for each in given], "most_bytes_read": self._most(found, max_bytes)}

    def _most(self, found: list[tuple[Segment, PlacedBatch]], max_bytes: int) -> int | None:
        """Return how many bytes a read may take from files, as the index finds the place."""
        if not found:
            return None
        segment, first = found[0]
        index = 8 * len(segment.index(self.index_bytes))
        larger = first.size_bytes if first.size_bytes > max_bytes else 0
        return max_bytes + larger + self.index_bytes + index + SLACK_BYTES

    def flush(self) -> Answer:
        """Return nothing: what was synced is compared when the log is opened again."""
        return {}

    def reopen(self) -> Answer:
        """Return unchanged offsets; flush() syncs bytes and names, and close() leaves no file open."""
        return {**self.offsets(), "flushed": True, "named": True, "left_open": 0}

    def reopen_closed(self) -> Answer:
        """Return unchanged offsets; close() alone syncs the bytes, too."""
        return {"saved": True, **self.offsets()}

    def cut_recover(self, amount: int) -> Answer:
        """Return how many bytes are cut: those that the last batch has left."""
        last = self.segments[-1]
        before = last.size_bytes - amount
        self._lose(len(self.segments) - 1, "cut", amount)
        return {"cut": before - last.size_bytes}

    def recover(self) -> Answer:
        """Return that nothing was cut: an open log has nothing to cut."""
        return {"cut": 0}

    def retain(self, now_ms: int, retention_ms: int) -> Answer:
        """Return how many segments expired."""
        if retention_ms < 0:
            return {"rejected": "ValueError"}
        gone = 0
        while len(self.segments) > 1 and _newest_ms(self.segments[0]) < now_ms - retention_ms:
            self.segments, gone = self.segments[1:], gone + 1
        return {"gone": gone, **self.offsets()}

    def offsets(self) -> Answer:
        """Return where the log begins and ends."""
        return {"start": self.start_offset, "end": self.end_offset}

    def files(self) -> Answer:
        """Return the names and sizes of all files, and the entries of each index."""
        sizes, index = [], {}
        for segment in self.segments:
            entries = segment.index(self.index_bytes)
            name = segment.name.replace(".log", ".index")
            sizes += [[name, 8 * len(entries)], [segment.name, segment.size_bytes]]
            index[name] = entries
        return {"files": sizes, "index": index}

    def damage(self, number: int, how: str, amount: int) -> Answer:
        """Return the offsets after opening, or the rejection that names two files."""
        at = number % len(self.segments)
        if how in ("cut", "log_gone"):
            if (rejected := self._lose(at, how, amount)) is not None:
                return rejected
        elif how == "flip":
            self._flip(at, self.segments[at].size_bytes - amount)
        elif how == "tail" and at != len(self.segments) - 1:
            raise AmbiguousCase("the rule does not say whether bytes after the batches of an older segment are found")
        return self.offsets()

    def _lose(self, at: int, how: str, amount: int) -> Answer | None:
        segment, is_last = self.segments[at], at == len(self.segments) - 1
        if how == "log_gone" and len(self.segments) == 1:
            raise AmbiguousCase("the rule does not say where a log without segments begins")
        if how == "log_gone" and at in (0, len(self.segments) - 1):
            del self.segments[at]
            return None
        if how == "cut" and is_last:
            kept = segment.size_bytes - amount
            segment.batches = [each for each in segment.batches if each.end_position <= kept]
            return None
        older = segment if how == "cut" else self.segments[at - 1]
        return {"rejected": "ValueError", "files": [older.name, self.segments[at + 1].name]}

    def _flip(self, at: int, byte: int) -> None:
        segment = self.segments[at]
        hit = next(each for each in segment.batches if each.position <= byte < each.end_position)
        if byte - hit.position in NOT_COVERED:
            raise AmbiguousCase("the leader epoch is not covered by the CRC")
        if at == len(self.segments) - 1:
            segment.batches = [each for each in segment.batches if each.position < hit.position]
        else:
            hit.corrupt = True


def _newest_ms(segment: Segment) -> int:
    return max(when_ms for batch in segment.batches for *_, when_ms in batch.triples)


def _as_row(batch: PlacedBatch) -> list[Any]:
    """Return [base offset, records, size, [[offset, timestamp, key, value], …]]."""
    records = [
        [offset, when_ms, key, value] for offset, (key, value, when_ms) in enumerate(batch.triples, batch.base_offset)
    ]
    return [batch.base_offset, len(records), batch.size_bytes, records]


def answers(case: dict[str, Any]) -> list[Answer]:
    """Return the answer to each step of a case's script.

    Example: answers({"segment_bytes": 99, "index_bytes": 9, "script": [["append", [[None, "a", 0]]]]})
    -> [{"offset": 0}]
    """
    log = Log(case["segment_bytes"], case["index_bytes"])

    def answer(verb: str, *arguments: Any) -> Answer:
        step: Callable[..., Answer] = getattr(log, verb)
        return step(*arguments)

    return [answer(*step) for step in case["script"]]
