"""Seeded scripts for `PartitionLog` without faults: appends, reads, the index, retention; smallest first."""

import random
from collections.abc import Iterable
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for
from autograder.stages.lab03_log.log.cases_batches import bytes_of

Triple = list[Any]
Step = list[Any]

ROOMY, INDEX = 1_048_576, 4096
START_MS = 1_700_000_000_000
BATCHES_OF_LONG = 160


def triples(rng: random.Random, count: int, when_ms: int = START_MS) -> list[Triple]:
    """Return the records of one batch: some without a key, some without a value, a millisecond apart."""
    made = [[rng.choice([None, *VOCABULARY[:9]]), rng.choice([None, *VOCABULARY]), when_ms + at] for at in range(count)]
    made[0][1] = rng.choice(VOCABULARY)
    return made


def sized(label: str, value_bytes: int, when_ms: int = START_MS) -> list[Triple]:
    """Return one record with a value of exactly `value_bytes`, for batches of one size."""
    return [[None, label + "x" * (value_bytes - len(label)), when_ms]]


def scripted(script: list[Step], segment_bytes: int = ROOMY, index_bytes: int = INDEX) -> Case:
    """Return a case of a log."""
    return {"segment_bytes": segment_bytes, "index_bytes": index_bytes, "script": script}


def appending(batches: Iterable[list[Triple]]) -> list[Step]:
    """Return a step for each batch. Example: appending([[[None, "a", 0]]]) -> [["append", [[None, "a", 0]]]]."""
    return [["append", batch] for batch in batches]


def offsets(seed: str) -> list[Case]:
    """Return appends of one record and of many, and the log's offsets before, between and after, also when reopened.

    One log is closed without a flush. One gets a segment after a flush: its name has to be synced, too.
    """
    rng = random_for(seed, "offsets")
    several = [triples(rng, rng.randint(1, 5)) for _ in range(6)]
    return [
        scripted([["append", sized("a", 9)], ["append", sized("b", 9)], ["offsets"]]),
        scripted([["offsets"]]),
        {**scripted([["append", sized("a", 9)], ["offsets"]]), "folder": "text"},
        scripted([["append", sized("a", 9)], ["reopen_closed"]]),
        scripted([["append", triples(rng, 3)], ["append", triples(rng, 2)], ["append", sized("c", 9)]]),
        scripted([["append", triples(rng, 2)], ["reopen"], ["append", triples(rng, 2)], ["reopen"], ["offsets"]]),
        scripted([*appending(several), ["recover"], ["append", triples(rng, 2)], ["offsets"]]),
        scripted([*appending(several), ["reopen"], *appending(several), ["offsets"]], segment_bytes=150),
        scripted([*appending(several), ["reopen"], ["offsets"]], index_bytes=1),
        scripted([*appending([sized("a", 9)]), ["flush"], *appending([sized("b", 9)]), ["reopen"]], segment_bytes=1),
    ]


def reads(seed: str) -> list[Case]:
    """Return reads from each offset of a few batches, with room for one, for some and for all of them."""
    rng = random_for(seed, "reads")
    one = [sized("alone", 9)]
    few = [triples(rng, count) for count in (2, 3, 1, 4)]
    more = [triples(rng, rng.randint(1, 4)) for _ in range(9)]
    return [
        scripted([*appending(one), ["read", 0, 1]]),
        scripted([*appending(few), *_reads(few, [ROOMY])]),
        scripted([*appending(few), *_reads(few, _room(few))]),
        scripted([*appending(more), *_reads(more, _room(more))], segment_bytes=260),
        scripted([*appending(more), ["reopen"], *_reads(more, _room(more)[:2])], segment_bytes=260, index_bytes=1),
        scripted(
            [step for batch in few for step in (["append", batch], ["read", 0, ROOMY])], segment_bytes=1, index_bytes=1
        ),
    ]


def _room(batches: list[list[Triple]]) -> list[int]:
    """Return max_bytes for one batch, for exactly two, for one byte less, and for all."""
    first_two = sum(len(bytes_of(batch)) for batch in batches[:2])
    return [1, first_two, first_two - 1, ROOMY]


def _reads(batches: list[list[Triple]], room: list[int]) -> list[Step]:
    end = sum(map(len, batches))
    return [["read", offset, max_bytes] for max_bytes in room for offset in range(end)]


def outside(seed: str) -> list[Case]:
    """Return reads at the end, after it, below zero, and below the start offset after segments expired."""
    rng = random_for(seed, "outside")
    few, far = [triples(rng, 2) for _ in range(3)], rng.randint(10, 10**9)
    at_the_edges = [["read", -1, 99], ["read", 6, 99], ["read", 7, 99], ["read", far, 99]]
    expired = [["retain", START_MS * 2, 0], ["read", 3, 99], ["read", 0, 99], ["read", 4, 99], ["read", 6, 99]]
    return [
        scripted([*appending([sized("a", 9)]), ["read", 0, 99], ["read", 2, 99]]),
        scripted([["read", 0, 99], ["read", 1, 99]]),
        scripted([*appending(few), *at_the_edges]),
        scripted([*appending(few), *expired, ["reopen"]], segment_bytes=1),
        _retained([]),
        _retained([["reopen"]]),
    ]


def _retained(before: list[Step]) -> Case:
    """Return a log whose first segment has its newest record in its last batch, and its second one in its first."""
    times = [1000, 2000, 3500, 2500, 9000]
    batches = [sized(f"{number}", 30, when_ms) for number, when_ms in enumerate(times)]
    retaining: list[Step] = []
    size = len(bytes_of(batches[0]))
    for limit_ms in (1500, 3000, 3500, 3501):
        retaining += [["retain", limit_ms + 1000, 1000], ["read", 1, size]]
    return scripted([*appending(batches), *before, *retaining], segment_bytes=2 * size, index_bytes=1)


def indexed(seed: str) -> list[Case]:
    """Return a short log with its index entries, and reads near the end of segments longer than a read may take."""
    rng = random_for(seed, "indexed")
    three = [sized(f"{number}", 30) for number in range(3)]
    size = len(bytes_of(three[0]))
    long = [sized(f"{number}", 590 + rng.randint(0, 20)) for number in range(BATCHES_OF_LONG)]
    near_the_end = [["read", offset, 500] for offset in (BATCHES_OF_LONG - 1, BATCHES_OF_LONG - 20)]
    everywhere = [["read", offset, 500] for offset in range(0, BATCHES_OF_LONG, 3)]
    return [
        scripted([*appending(three), ["files"]], index_bytes=size + 1),
        scripted([*appending(three * 3), ["files"]], segment_bytes=3 * size, index_bytes=size),
        scripted([*appending(long), *near_the_end, ["files"]], index_bytes=1000),
        scripted([*appending(long), *everywhere], index_bytes=16_384),
        scripted([*appending(long), ["reopen"], *everywhere[-9:], ["files"]], index_bytes=16_384),
    ]


def invalid_sizes(seed: str) -> list[Case]:
    """Return sizes and max_bytes below one, a negative retention, and the smallest valid values."""
    below = -random_for(seed, "not meant").randint(1, 99)
    one = appending([sized("alone", 9)])
    return [
        scripted([], segment_bytes=0),
        scripted([], index_bytes=0),
        scripted([*one, ["read", 0, 1], ["retain", 1, 0]], segment_bytes=1, index_bytes=1),
        scripted([], segment_bytes=below),
        scripted([], index_bytes=below),
        scripted([*one, ["read", 0, 0], ["read", 0, 1]]),
        scripted([["read", 0, 0]]),
        scripted([*one, ["read", 0, below]]),
        scripted([*one, ["retain", 1, -1], ["retain", 1, 0]]),
        scripted([*one, ["retain", 1, below]]),
    ]
