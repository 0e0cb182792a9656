"""Seeded cases of the parts of a log, smallest first."""

from random import Random

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.log.cases import Step, Triple, sized, triples
from autograder.stages.lab03_log.log.cases_batches import bytes_of

ONE = len(bytes_of(sized("a", 9)))
WAYS = ("short", "cut", "length", "header", "crc", "count")


def _base(rng: Random) -> int:
    return rng.choice([0, rng.randint(1, 99), rng.randint(2**33, 2**40)])


# recover_segment


# SparseIndex


# Segment


def given(seed: str) -> list[Case]:
    """Return batches from each offset on, also after reopening or closing the segment and with a torn batch at its end.

    Once the index then points to the last batch, and the newest record is in the first one. A wrong bit in a value does
    not move the end. One record is older than 1970.
    """
    rng = random_for(seed, "given batches")
    few = [triples(rng, count, when_ms) for count, when_ms in ((2, 9000), (3, 4000), (1, 5000))]
    more = [triples(rng, rng.randint(1, 4), rng.randint(1, 10**6)) for _ in range(12)]
    base, third = _base(rng), sum(len(bytes_of(batch)) for batch in few[:2])
    return [
        _scripted(0, [["append", sized("a", 9)], ["batches", 0]]),
        _scripted(0, [["append", sized("a", 9, -5)], ["newest"]]),
        _scripted(0, [*_appends([sized("a", 9)]), ["delete", True]]),
        _scripted(0, [*_appends([sized("a", 9)]), ["close"], ["batches", 0], ["delete", False]]),
        _scripted(0, [*_appends([sized("a", 9), sized("b", 9)]), ["flipped", ONE - 5]]),
        _scripted(0, [*_appends([sized("a", 9)]), ["torn"], ["batches", 0]]),
        _scripted(4, [*_appends(few), *([["batches", 4 + at] for at in range(7)])]),
        _scripted(
            base, [*_appends(few[:2]), ["reopen"], ["newest"], *_appends(few[2:]), ["newest"], ["batches", base + 2]]
        ),
        _scripted(base, [*_appends(few), ["reopen_at", base + 5, third], ["newest"], ["batches", base + 2]]),
        _scripted(base, [*_appends(few), ["torn"]]),
        _scripted(base, [*_appends(more), ["newest"], ["batches", base + rng.randint(1, 12)], ["reopen"]]),
        *(_scripted(4, [*_appends(few), ["delete", has_index]]) for has_index in (True, False)),
    ]


def broken(seed: str) -> list[Case]:
    """Return each kind of broken batch: alone, and between two good ones."""
    rng = random_for(seed, "broken batches")
    alone = [_scripted(0, [["append_broken", how, sized("b", 9)], ["append", sized("a", 9)]]) for how in WAYS]
    between = [
        [["append", triples(rng, 2)], ["append_broken", how, triples(rng, 3)], ["append", sized("good", 9)]]
        for how in WAYS
    ]
    return [*alone, *(_scripted(5, [*steps, ["reopen"], ["batches", 5]]) for steps in between)]


def full(seed: str) -> list[Case]:
    """Return a disk with no room for a batch, for a part of it, or for an index entry; afterwards it has room."""
    rng = random_for(seed, "full segments")
    rooms = [0, 1, ONE - 1, rng.randint(2, ONE - 2)]
    then: list[Step] = [["append", sized("after", 9)], ["batches", 0]]
    filled = [["disk_full", room, sized("full", 9)] for room in rooms]
    return [
        _scripted(0, [["disk_full", 30, sized("full", 9)], *then]),
        *(_scripted(0, [["append", sized("a", 9)], each, *then, ["reopen"]]) for each in filled),
        _scripted(0, [["append", sized("a", 9)], ["index_full", sized("full", 9)], *then, ["reopen"]]),
        _scripted(0, [["append", triples(rng, 3)], *filled, *then]),
    ]


def _appends(batches: list[list[Triple]]) -> list[Step]:
    return [["append", batch] for batch in batches]


def _scripted(base_offset: int, script: list[Step]) -> Case:
    return {"base_offset": base_offset, "script": script}


# SegmentList: segments are [base offset, end offset, bytes, newest timestamp]
