"""Seeded faults for `PartitionLog`: broken batches, damaged files, a disk that is full, a writer that is killed.

Damage hits values, never a place of which the definition says nothing (see `oracle_log.AmbiguousCase`); a step that
a log rejects to open after is the last of its script. Smallest first. Keeps out: the right answers.
"""

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.cases_log import ROOMY, Step, Triple, appending, scripted, sized, triples
from autograder.stages.lab03_log.oracle_log import bytes_of

HOWS = ("short", "length", "crc", "count")
NEAR_THE_END = 10  # bytes from the end of a batch of `sized`: inside its value
VALUE_BYTES = 40


def _batches(count: int) -> list[list[Triple]]:
    return [sized(f"batch{number}.", VALUE_BYTES) for number in range(count)]


def _size() -> int:
    return len(bytes_of(_batches(1)[0]))


def broken(seed: str) -> list[Case]:
    """Each way to be no whole batch: alone, and between two that are good."""
    chance = random_for(seed, "broken")
    between = [
        scripted(
            [
                ["append", triples(chance, 2)],
                ["append_broken", how, triples(chance, 3)],
                ["offsets"],
                ["append", sized("good", 9)],
                ["read", 0, ROOMY],
                ["reopen"],
            ]
        )
        for how in HOWS
    ]
    return [*(scripted([["append_broken", how, sized("b", 9)], ["offsets"]]) for how in HOWS), *between]


def torn(seed: str) -> list[Case]:
    """The last batch is cut at every byte, or followed by what is none; the log goes on behind what is whole."""
    chance = random_for(seed, "torn")
    last = triples(chance, 2)
    first = [sized("first", 9), triples(chance, 3)]
    cut = chance.randint(1, _size() - 1)
    return [
        _torn([["damage", -1, "cut", 1]], count=2),
        _torn([["damage", -1, "cut", cut]], count=3),
        _torn([["damage", -1, "tail", 1]], count=2),
        _torn([["damage", -1, "tail", chance.randint(61, 200)]], count=2),
        _torn([["damage", -1, "cut", _size() + cut]], count=4),
        _torn([["damage", -1, "cut", cut], ["damage", -1, "cut", 1]], count=4),
        _torn([["damage", -1, "cut", cut]], count=5, segment_bytes=2 * _size()),
        {"segment_bytes": ROOMY, "index_bytes": 64, "batches": [*first, last], "each_byte": "cut"},
        {"segment_bytes": 1, "index_bytes": 1, "batches": [sized("first", 9), last], "each_byte": "cut"},
    ]


def _torn(damage: list[Step], count: int, segment_bytes: int = ROOMY) -> Case:
    afterwards: list[Step] = [["append", sized("after", 9)], ["read", 0, ROOMY], ["reopen"]]
    return scripted([*appending(_batches(count)), *damage, *afterwards], segment_bytes)


def flipped(seed: str) -> list[Case]:
    """A bit of the last segment is wrong: in the last batch, in one before it, at every byte of the last."""
    chance = random_for(seed, "flipped")
    last = triples(chance, 2)
    third_last = 2 * _size() + NEAR_THE_END
    return [
        _torn([["damage", -1, "flip", NEAR_THE_END]], count=2),
        _torn([["damage", -1, "flip", third_last]], count=chance.randint(4, 6)),
        _torn([["damage", -1, "flip", NEAR_THE_END]], count=4, segment_bytes=2 * _size()),
        {"segment_bytes": ROOMY, "index_bytes": 64, "batches": [sized("first", 9), last], "each_byte": "flip"},
    ]


def corrupt(seed: str) -> list[Case]:
    """A bit of an older segment is wrong: what is read of the batches before, at and behind it.

    The corrupt batch is never the first of its file, so that its position is no zero.
    """
    chance = random_for(seed, "corrupt")
    reads = [["read", offset, ROOMY] for offset in range(6)]
    second, third = [2 * _size(), NEAR_THE_END], [3 * _size(), NEAR_THE_END + _size()]
    return [
        _corrupt(second, [["read", 1, ROOMY]], count=3),
        _corrupt(second, [["read", 0, ROOMY]], count=3),
        _corrupt(third, [*reads, ["reopen"], *reads], count=6),
        _corrupt(third, [["append", sized("after", 9)], *reads], count=5 + chance.randint(1, 3)),
    ]


def _corrupt(where: list[int], then: list[Step], count: int) -> Case:
    segment_bytes, from_the_end = where
    damage = ["damage", 0, "flip", from_the_end]
    return scripted([*appending(_batches(count)), damage, *then], segment_bytes, index_bytes=1)


def wrong_indexes(seed: str) -> list[Case]:
    """An index that is missing, odd, too long or falling, of an older segment and of the last; one without its log."""
    chance = random_for(seed, "wrong indexes")
    hows = ["index_gone", "index_odd", "index_longer", "index_falling"]
    small = [_reindexed(how, number, count=3) for how in hows for number in (0, -1)]
    large = [_reindexed(chance.choice(hows), chance.randint(0, 3), count=12) for _ in range(2)]
    return [*small, *large, _reindexed("log_gone", -1, count=4)]


def _reindexed(how: str, number: int, count: int) -> Case:
    offsets = range(count - 2 if how == "log_gone" else count)
    afterwards: list[Step] = [["files"], *(["read", offset, 1] for offset in offsets)]
    script: list[Step] = [*appending(_batches(count)), ["damage", number, how, 0], *afterwards]
    return scripted(script, segment_bytes=2 * _size(), index_bytes=1)


def missing(seed: str) -> list[Case]:
    """A segment between two others is gone, or the end of an older one; the first and the last may be gone."""
    chance = random_for(seed, "missing")
    cut = ["damage", chance.randint(0, 1), "cut", chance.randint(1, _size() - 1)]
    goes_on: list[Step] = [["append", sized("after", 9)], ["offsets"], ["read", 2, ROOMY]]
    return [
        _missing([["damage", 1, "log_gone", 0]], count=3),
        _missing([["damage", 0, "cut", 1]], count=3),
        _missing([["damage", 0, "log_gone", 0], *goes_on], count=3),
        _missing([["damage", -1, "log_gone", 0], *goes_on], count=4),
        _missing([["damage", chance.randint(1, 4), "log_gone", 0]], count=6),
        _missing([cut], count=4),
    ]


def _missing(steps: list[Step], count: int) -> Case:
    return scripted([*appending(_batches(count)), *steps], segment_bytes=1)


def full(seed: str) -> list[Case]:
    """A disk that takes nothing, and one that takes a part of the batch; then there is room again."""
    chance = random_for(seed, "full")
    afterwards: list[Step] = [["offsets"], ["append", sized("after", VALUE_BYTES)], ["read", 0, ROOMY], ["reopen"]]
    rooms = [0, 1, _size() - 1, chance.randint(2, _size() - 2)]
    again: list[Step] = [["disk_full", room, sized("full", VALUE_BYTES)] for room in rooms]
    return [
        *(
            scripted([*appending(_batches(1)), ["disk_full", room, sized("full", VALUE_BYTES)], *afterwards])
            for room in rooms
        ),
        scripted([["disk_full", 30, sized("full", VALUE_BYTES)], *afterwards]),
        scripted([*appending(_batches(3)), *again, *afterwards, ["files"]], index_bytes=_size()),
    ]


def killed(seed: str) -> list[Case]:
    """The writer is killed after so many records, in one segment and in many."""
    chance = random_for(seed, "killed")
    return [
        {"segment_bytes": ROOMY, "index_bytes": 4096, "kill_after": chance.randint(20, 60)},
        {"segment_bytes": 500, "index_bytes": 100, "kill_after": chance.randint(100, 300)},
    ]
