"""Consuming with a crash: a log in memory, offsets that outlive the crash, and calls that raise on request.

The log is not the learner's own, so that a mistake in that log costs no points here.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab03_log.log.drive_batches import as_text, in_bytes
from streamlab.lab03_log.wire.batches import Batch, OffsetOutOfRange, at_offset, batch_of
from streamlab.sources.topics import Record

EVERYTHING = 1 << 30


class Crash(Exception):
    """The simulated death of the machine."""


class MemoryLog:
    """A log in memory with the contract of `read`, over batches of [[key, value], …]."""

    start_offset = 0

    def __init__(self, batches: list[list[Any]]) -> None:
        self.batches: list[Batch] = []
        self.end_offset = self.polls = 0
        self.extend(batches)

    def extend(self, batches: list[list[Any]]) -> None:
        """Append batches."""
        for records in batches:
            data = batch_of([(in_bytes(key), in_bytes(value)) for key, value in records])
            self.batches.append(Batch(self.end_offset, len(records), at_offset(data, self.end_offset)))
            self.end_offset += len(records)

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        """Return whole batches from the one with `offset` on, at least that one."""
        self.polls += 1
        if not 0 <= offset <= self.end_offset:
            raise OffsetOutOfRange(offset, 0, self.end_offset)
        found: list[Batch] = []
        for batch in self.batches:
            if batch.base_offset + batch.records > offset:
                max_bytes -= len(batch.data)
                if found and max_bytes < 0:
                    break
                found.append(batch)
        return found


class Group:
    """A group's committed offset, the records that it has handled, and the one call that crashes.

    `arrive` is called once, while the first record is handled.
    """

    def __init__(self, committed: int, crash_at: list[Any] | None, arrive: Callable[[], None] = lambda: None) -> None:
        self._committed, self._arrive = committed, arrive
        self._crash_at = tuple(crash_at or ())
        self._calls: Counter[str] = Counter()
        self.crashed = False
        self.handled: list[Record] = []
        self.commits: list[Any] = []

    def committed(self) -> int:
        """Return the committed offset, where the next run continues."""
        return self._committed

    def commit(self, offset: int) -> None:
        """Store an offset, or crash."""
        self._crash_if_due("commit")
        self._committed = offset
        self.commits.append(offset if type(offset) is int else type_name(offset))

    def handle(self, record: Record) -> None:
        """Handle a record, or crash."""
        self._crash_if_due("handle")
        self.handled.append(record)
        if len(self.handled) == 1:
            self._arrive()

    def _crash_if_due(self, name: str) -> None:
        self._calls[name] += 1
        if (name, self._calls[name]) == self._crash_at:
            self.crashed = True
            raise Crash(f"call {self._calls[name]} of {name}")


@drive("consume")
def consume(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return what is handled and committed, with a crash if the case asks for it; or the hashtags of texts in a log."""
    if "texts" in case:
        return _counted_tags(stage.consume, case["texts"], earlier("lab02_windows").hashtags)
    log = MemoryLog(case["batches"])
    group = Group(case.get("committed", 0), case.get("crash_at"), lambda: log.extend(case.get("arriving", [])))
    return or_rejected(lambda: _consumed(stage.consume, log, group, case)) | {"polls": log.polls}


def _consumed(consume: Callable[..., Any], log: MemoryLog, group: Group, case: dict[str, Any]) -> Rows:
    """Run until the end or the crash; after a crash, once more."""
    commit = case["commit"].encode().decode()  # not the same object as any string of the learner's
    arguments = (log, group, group.handle, commit, *([] if case["max_bytes"] is None else [case["max_bytes"]]))
    returned = None
    with suppress(Crash):
        returned = consume(*arguments)
    first_run = len(group.handled)
    if group.crashed:
        returned = consume(*arguments)
    handled = [record.offset for record in group.handled]
    return {"handled": handled, "first_run": first_run, "commits": group.commits, "returned": plain(returned)}


def _counted_tags(consume: Callable[..., Any], texts: list[str], hashtags: Callable[[str], list[str]]) -> Rows:
    """Return the counts of the hashtags of texts in a log, five texts per batch."""
    log = MemoryLog([[(None, text) for text in texts[at : at + 5]] for at in range(0, len(texts), 5)])
    group, tags = Group(0, None), Counter[str]()
    consume(log, group, lambda record: tags.update(hashtags(bytes(record.value).decode())), "after", 1000)
    return {"tags": dict(tags)}


@drive("deduplicate")
def deduplicate(stage: Any, case: Any) -> Rows:
    """Return the records that are applied of deliveries, which arrive in one or more calls and can be read once."""
    next_offset = {int(partition): offset for partition, offset in case.get("next_offset", {}).items()}
    deliveries = [(partition, Record(at, 0, None, in_bytes(value))) for partition, at, value in case["deliveries"]]
    applied, parts = [], case.get("parts", 1)
    for part in range(parts):
        ends = (len(deliveries) * each // parts for each in (part, part + 1))
        new = stage.deduplicate(iter(deliveries[slice(*ends)]), next_offset)
        if not isinstance(new, list):
            return {"returned": type_name(new)}
        applied += new
    rows = [[partition, record.offset, as_text(record.value)] for partition, record in applied]
    return {"applied": plain(rows), "next_offset": plain(next_offset)}
