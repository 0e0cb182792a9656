"""Consuming with a crash: a log in memory, offsets that outlive the crash, and calls that raise when they are told to.

Keeps out: the learner's own log (a mistake in it costs its own points), what is right.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from autograder.inside.rows import Rows, a_kind, plain
from autograder.stages.lab03_log.log.drive_batches import in_bytes
from streamlab.wire.batches import Batch, OffsetOutOfRange, Record, at_offset, batch_of

EVERYTHING = 1 << 30


class Crash(Exception):
    """The machine dies."""


class MemoryLog:
    """What `read` promises, over batches of [[key, value], …]."""

    start_offset = 0

    def __init__(self, batches: list[list[Any]]) -> None:
        self.batches: list[Batch] = []
        self.end_offset = self.polls = 0
        for records in batches:
            data = batch_of([(in_bytes(key), in_bytes(value)) for key, value in records])
            self.batches.append(Batch(self.end_offset, len(records), at_offset(data, self.end_offset)))
            self.end_offset += len(records)

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        """Whole batches from the one with `offset` on, and at least that one."""
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
    """A group's committed offset, what it has handled, and the one call that crashes."""

    def __init__(self, committed: int, crash_at: list[Any] | None) -> None:
        self._committed = committed
        self._crash_at = tuple(crash_at or ())
        self._calls: Counter[str] = Counter()
        self.crashed = False
        self.handled: list[Record] = []
        self.commits: list[Any] = []

    def committed(self) -> int:
        """Where to go on."""
        return self._committed

    def commit(self, offset: int) -> None:
        """Keep an offset, or crash."""
        self._crash_if_told("commit")
        self._committed = offset
        self.commits.append(offset if type(offset) is int else a_kind(offset))

    def handle(self, record: Record) -> None:
        """Handle a record, or crash."""
        self._crash_if_told("handle")
        self.handled.append(record)

    def _crash_if_told(self, name: str) -> None:
        self._calls[name] += 1
        if (name, self._calls[name]) == self._crash_at:
            self.crashed = True
            raise Crash(f"call {self._calls[name]} of {name}")


def consumed(consume: Callable[..., Any], case: dict[str, Any]) -> Rows:
    """Run until the end or the crash; after a crash, once more."""
    log, group = MemoryLog(case["batches"]), Group(case.get("committed", 0), case.get("crash_at"))
    arguments = (log, group, group.handle, case["commit"], case.get("max_bytes", 4096))
    returned = None
    try:
        returned = consume(*arguments)
    except Crash:
        pass
    except ValueError as refusal:
        return {"rejected": type(refusal).__name__, "polls": log.polls}
    first_run = len(group.handled)
    if group.crashed:
        returned = consume(*arguments)
    return {
        "handled": [record.offset for record in group.handled],
        "first_run": first_run,
        "commits": group.commits,
        "polls": log.polls,
        "returned": plain(returned),
    }


def counted_tags(consume: Callable[..., Any], texts: list[str], hashtags: Callable[[str], list[str]]) -> Rows:
    """The hashtags of the texts that lie in a log, five in a batch."""
    log = MemoryLog([[(None, text) for text in texts[at : at + 5]] for at in range(0, len(texts), 5)])
    group, tags = Group(0, None), Counter[str]()
    consume(log, group, lambda record: tags.update(hashtags(bytes(record.value).decode())), "after", 1000)
    return {"tags": dict(tags)}
