"""Seeded cases of the parts of a log, smallest first."""

import struct
from itertools import pairwise
from random import Random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.log.cases import Step, Triple, sized, triples
from autograder.stages.lab03_log.log.cases_batches import NOT_COVERED, bytes_of

ONE = len(bytes_of(sized("a", 9)))
WAYS = ("short", "cut", "length", "crc", "count")


def _base(rng: Random) -> int:
    return rng.choice([0, rng.randint(1, 99), rng.randint(2**33, 2**40)])


# recover_segment


def torn(seed: str) -> list[Case]:
    """Return files that end inside their last batch, at each byte of it, or with bytes that are not a batch."""
    rng = random_for(seed, "torn segments")
    last = triples(rng, 2)
    at_each_byte = [["cut", amount] for amount in range(1, len(bytes_of(last)) + 1)]
    tails = [["tail", amount] for amount in (1, 60, 61, rng.randint(62, 200))]
    return [
        _segment(0, [sized("a", 9)], [["cut", 1], ["whole", 0]]),
        _segment(_base(rng), [sized("a", 9), sized("b", 9)], [["tail", 1], ["cut", 1], ["whole", 0]]),
        _segment(7, [sized("a", 9), triples(rng, 3), last], [["cut", ONE], ["no_file", 0], *tails]),
        _segment(_base(rng), [triples(rng, 1), triples(rng, 3), last], at_each_byte),
    ]


def corrupt(seed: str) -> list[Case]:
    """Return files with a wrong bit in each byte of the last batch or in an earlier one, or with a wrong offset."""
    rng = random_for(seed, "corrupt segments")
    last = triples(rng, 2)
    size = len(bytes_of(last))
    flips = [["flip", size - at] for at in range(size) if at not in NOT_COVERED]
    four = [sized(f"{number}", 9) for number in range(4)]
    return [
        _segment(0, [sized("a", 9)], [["flip", 3], ["whole", 0]]),
        _segment(3, four[:2], [["misplaced", 1], ["misplaced", 0]]),
        _segment(_base(rng), four, [["flip", 3], ["flip", ONE + 3], ["flip", 3 * ONE + 3], ["misplaced", 2]]),
        _segment(_base(rng), [sized("first", 9), triples(rng, 3), last], flips),
    ]


def _segment(base_offset: int, batches: list[list[Triple]], damages: list[list[Any]]) -> Case:
    return {"base_offset": base_offset, "batches": batches, "damages": damages}


# SparseIndex


def due(seed: str) -> list[Case]:
    """Return batches that reach index_bytes exactly, miss it by one byte or go far over it, and a full disk."""
    rng = random_for(seed, "due entries")
    base, sizes = _base(rng), [rng.randint(60, 900) for _ in range(40)]
    return [
        _index(0, 100, [100, 100]),
        _index(0, 101, [100, 100, 2, 100]),
        _index(5, 100, [99, 1, 99, 2, 250, 10, 100]),
        _index(0, 1, [70, 70, 70]),
        _index(base, 4096, [5000, 3000, 3000]),
        _index(base, 700, sizes),
        _index(0, 100, [100, 100, 100], full_at=2),
        _index(base, 100, [130] * 5, full_at=rng.randint(1, 4)),
    ]


def asked(seed: str) -> list[Case]:
    """Return offsets at entries, between them, in the first batch and after the last, with entries from the file, too.

    All batches are so large that each but the first has an entry.
    """
    rng = random_for(seed, "asked offsets")
    base = rng.randint(2**33, 2**40)
    more = [rng.randint(500, 900) for _ in range(30)]
    return [
        _index(0, 100, [100, 100], asked=[0, 2, 3]),
        _index(5, 100, [100, 100, 100], asked=[5, 6, 7, 8, 9, 10, 11, 4]),
        _index(9, 10_000, [100], asked=[9, 10, 99]),
        _index(7, 100, [100] * 6, stored=_pairs([[2, 100], [4, 200], [6, 300]]), asked=list(range(7, 20))),
        _index(base, 500, more, asked=[base + at for at in range(0, 61, rng.randint(1, 3))]),
    ]


def wrong_files(seed: str) -> list[Case]:
    """Return index files that are right, cut, missing, falling, not rising, or longer than their log."""
    rng = random_for(seed, "wrong index files")
    right = [[2, 100], [4, 200], [6, 300]]
    wrong = [
        b"\0\0\1",
        _pairs(right) + b"\0" * rng.randint(1, 7),
        _pairs([*right, [0, 0]]),
        _pairs([[0, 0]]),
        _pairs([*right, [8, 600]]),  # the log has 600 bytes, the last at 599
        _pairs([*right, [8, 4000]]),
        _pairs([*right, [6, 400]]),
        _pairs([*right, [8, 300]]),
        _pairs([right[1], right[0]]),
        _pairs([[4, 100], [2, 200]]),
        _pairs([[2, 200], [4, 100]]),
    ]
    base = rng.randint(1, 99)
    return [
        _index(0, 100, [100] * 3, stored=b"\0\0\1"),
        _index(0, 100, [100] * 3, stored=_pairs([[2, 100]])),
        _index(base, 100, [100] * 6, stored=_pairs(right)),
        *(_index(base, 100, [100] * 6, stored=each) for each in wrong),
        _index(base, 100, [100] * 6, stored=_pairs([])),
        _index(base, 100, [100] * 50, stored=_pairs([[2 * at, 100 * at] for at in range(1, 45)])),
        _index(base, 100, [], stored=_pairs(right)),
    ]


def _pairs(pairs: list[list[int]]) -> bytes:
    return b"".join(struct.pack(">II", *pair) for pair in pairs)


def _index(
    base: int,
    index_bytes: int,
    sizes: list[int],
    stored: bytes | None = None,
    asked: list[int] | None = None,
    **more: int,
) -> Case:
    """Return consecutive batches of two records each, with these sizes."""
    ends = [sum(sizes[:at]) for at in range(len(sizes) + 1)]
    batches = [[base + 2 * at, begin] for at, (begin, _) in enumerate(pairwise(ends))]
    every = [base, base + len(sizes), base + 2 * len(sizes)]
    hexadecimal = None if stored is None else stored.hex()
    case = {"base_offset": base, "index_bytes": index_bytes, "stored_hex": hexadecimal, "log_bytes": ends[-1]}
    return {**case, "batches": batches, "asked": asked or every, **more}


# Segment


def given(seed: str) -> list[Case]:
    """Return batches from each offset on, also after reopening the segment and with a torn batch at its end.

    Once the index then points to the last batch, and the newest record is in the first one.
    """
    rng = random_for(seed, "given batches")
    few = [triples(rng, count, when_ms) for count, when_ms in ((2, 9000), (3, 4000), (1, 5000))]
    more = [triples(rng, rng.randint(1, 4), rng.randint(1, 10**6)) for _ in range(12)]
    base, third = _base(rng), sum(len(bytes_of(batch)) for batch in few[:2])
    return [
        _scripted(0, [["append", sized("a", 9)], ["batches", 0]]),
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


def rolling(seed: str) -> list[Case]:
    """Return batches that fill a segment exactly, would exceed it by one byte, or are larger than any segment."""
    rng = random_for(seed, "rolling")
    mixed = [["append", rng.randint(61, 300), rng.randint(1, 5)] for _ in range(20)]
    return [
        _list([_new()], 200, [["append", 100, 1], ["append", 100, 1], ["append", 1, 1]]),
        _list([_new()], 199, [["append", 100, 2], ["append", 100, 3]]),
        _list([_new()], 100, [["append", 400, 1], ["append", 61, 2], ["append", 400, 1], ["append", 100, 1]]),
        _list([[0, 3, 90, 0], [3, 5, 70, 0]], 100, [["append", 30, 1], ["append", 1, 1], ["since", 5]]),
        _list([[7, 9, 150, 0]], 100, [["append", 1, 2]]),
        _list([_new()], 700, [*mixed, *(["since", offset] for offset in range(rng.randint(0, 2), 30, 3))]),
    ]


def failing(seed: str) -> list[Case]:
    """Return appends that fail, in the active segment and in a new one; later ones succeed."""
    size = random_for(seed, "failing").randint(61, 99)
    return [
        _list([[0, 1, 100, 0]], 100, [["append_fails", 60, "OSError"], ["append", 60, 1]]),
        _list([[0, 1, 100, 0]], 100, [["append_fails", size, "CorruptBatch"], ["append_fails", 60, "OSError"]]),
        _list([[0, 1, 50, 0]], 150, [["append_fails", size, "OSError"], ["append", size, 1]]),
        _list([[0, 2, 50, 0]], 100, [["append_fails", size, "OSError"], ["append", 50, 1], ["append", size, 1]]),
    ]


def gaps(seed: str) -> list[Case]:
    """Return segments that do not follow each other, after some that do, and some that all do."""
    missing = random_for(seed, "gaps").randint(1, 9)
    three = [[0, 4, 50, 0], [4, 5, 50, 0], [5, 9, 50, 0]]
    return [
        _list([[0, 4, 50, 0], [5, 9, 50, 0]], 100, []),
        _list(three, 100, []),
        _list([[2, 4, 50, 0]], 100, []),
        _list([*three, [9 + missing, 20, 50, 0]], 100, []),
        _list([[0, 1000, 50, 0], [1000, 2000, 50, 0]], 100, []),
        _list([[0, 5, 50, 0], [4, 9, 50, 0]], 100, []),
        _list([*three, [8, 9, 50, 0], [9, 9, 0, 0]], 100, []),
    ]


def expiring(seed: str) -> list[Case]:
    """Return segments exactly as old as the retention, older ones, an old one after a young one, an old active one."""
    rng = random_for(seed, "expiring segments")
    times = sorted(rng.sample(range(10_000), 7))
    now_ms = rng.randint(times[2], times[5])
    return [
        _aged([1000, 2000], [["expire", 2001, 1000], ["append", 1, 1]]),
        _aged([1000, 2000], [["expire", 2000, 1000], ["expire", 10**9, 0], ["expire", 10**9, 0]]),
        _aged([1000], [["expire", 10**9, 0]]),
        _aged([1000, 2000, 3000], [["expire", 9000, 0]]),
        _aged([1000, 9000, 1000, 1000], [["expire", 6000, 1000], ["expire", 10_001, 1000]]),
        _aged([1000, 2000], [["expire", 9000, -1], ["expire", 9000, -rng.randint(2, 99)], ["expire", 1000, 0]]),
        _aged(times, [["expire", now_ms, 0], ["expire", now_ms + 500, 100]]),
    ]


def _aged(newest_ms: list[int], script: list[Step]) -> Case:
    return _list([[2 * at, 2 * at + 2, 100, when_ms] for at, when_ms in enumerate(newest_ms)], 200, script)


def _new() -> list[int]:
    return [0, 0, 0, 0]


def _list(segments: list[list[int]], segment_bytes: int, script: list[Step]) -> Case:
    return {"segments": segments, "segment_bytes": segment_bytes, "script": script}
