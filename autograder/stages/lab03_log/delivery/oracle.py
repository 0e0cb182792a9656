"""The right answers of `consume` and `deduplicate`: the records that a crashed run and the next one handle.

No log is needed: its polls follow from the sizes of the batches.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from autograder.stages.lab03_log.log.cases_batches import encoded
from streamlab.lab03_log.wire.batches import batch_of

Delivery = Sequence[Any]  # partition, offset, value
Crash = tuple[str, int]  # at which call of handle or commit, counted from 1


@dataclass
class Consumed:
    """The result of two runs: all handled offsets, how many of the first run, all commits, the last return value."""

    handled: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    first_run: int | None = None
    returned: int = 0


class _Crashed(Exception):
    """The crash of a call, before the call has any effect."""


def consumed(
    batches: Sequence[Sequence[Delivery]],
    max_bytes: int | None,
    commit: str,
    crash_at: Sequence[Any] | None,
    committed: int,
    arriving: Sequence[Sequence[Delivery]] = (),
) -> Consumed:
    """Return the result of both runs, or of the only one if nothing crashes (`first_run` then counts all records).

    The batches `arriving` come while the first record is handled: after the first poll.
    """
    found, max_bytes = Consumed(), 4096 if max_bytes is None else max_bytes
    each_poll = polls(batches, max_bytes, committed)
    if arriving and (first := next(each_poll, None)):
        each_poll = chain([first], polls([*batches, *arriving], max_bytes, first[-1] + 1))
    try:
        _run(found, each_poll, commit, (crash_at[0], crash_at[1]) if crash_at else None)
    except _Crashed:
        found.first_run, found.returned = len(found.handled), 0
        _run(found, polls(batches, max_bytes, ([committed, *found.commits])[-1]), commit, None)
    if found.first_run is None:
        found.first_run = len(found.handled)
    return found


def _run(found: Consumed, each_poll: Iterator[list[int]], commit: str, crash_at: Crash | None) -> None:
    calls = Counter[str]()

    def call(what: str, done: list[int], offset: int) -> None:
        calls[what] += 1
        if crash_at == (what, calls[what]):
            raise _Crashed
        done.append(offset)

    for offsets in each_poll:
        if commit == "before":
            call("commit", found.commits, offsets[-1] + 1)
        for offset in offsets:
            call("handle", found.handled, offset)
            found.returned += 1
        if commit == "after":
            call("commit", found.commits, offsets[-1] + 1)


def polls(batches: Sequence[Sequence[Any]], max_bytes: int, position: int) -> Iterator[list[int]]:
    """Yield the offsets of each poll from `position` on: whole batches, without the records below `position`.

    Example: list(polls([[["k", "v"]] * 2, [["k", "v"]]], max_bytes=1, position=1)) -> [[1], [2]]
    """
    ends, end = [], 0
    for pairs in batches:
        end += len(pairs)
        ends.append(end)
    left = [(end, _size(pairs)) for end, pairs in zip(ends, batches, strict=True) if end > position]
    while left:
        taken = 1
        while taken < len(left) and sum(size for _, size in left[: taken + 1]) <= max_bytes:
            taken += 1
        yield list(range(position, left[taken - 1][0]))
        position, left = left[taken - 1][0], left[taken:]


def _size(pairs: Sequence[Sequence[Any]]) -> int:
    return len(batch_of([(encoded(key), encoded(value)) for key, value in pairs]))


def applied(deliveries: Sequence[Delivery], next_offset: Mapping[str, int]) -> tuple[list[list[Any]], dict[str, int]]:
    """Return the deliveries that are applied, and the next offset of each partition.

    A delivery is applied unless its partition began above it, or had it or a later one before.

    Example: applied([[0, 5, "a"], [0, 5, "a"], [1, 0, "a"]], {"0": 5})
    -> ([[0, 5, "a"], [1, 0, "a"]], {"0": 6, "1": 1})
    """
    new = [
        list(each)
        for at, each in enumerate(deliveries)
        if each[1] >= next_offset.get(str(each[0]), 0)
        and not any(earlier[0] == each[0] and earlier[1] >= each[1] for earlier in deliveries[:at])
    ]
    next_offsets = dict(next_offset)
    for partition, offset, _ in new:
        next_offsets[str(partition)] = max(next_offsets.get(str(partition), 0), offset + 1)
    return new, next_offsets
