"""Seeded faults for `PartitionLog`: damaged files, a disk that is full, a writer that is killed; smallest first.

Damage never hits a place that the definition leaves open (see `oracle.AmbiguousCase`).
"""

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab03_log.log.cases import ROOMY, Step, Triple, appending, scripted, sized
from autograder.stages.lab03_log.log.cases_batches import bytes_of
from streamlab.lab03_log.wire.batches import crc_of

NEAR_THE_END = 10  # bytes from the end of a batch of `sized`: inside its value
LAST_OF_OFFSET = 7  # the last byte of a batch's base offset, from its start
VALUE_BYTES = 40


def _batches(count: int) -> list[list[Triple]]:
    return [sized(f"batch{number}.", VALUE_BYTES) for number in range(count)]


def _size() -> int:
    return len(bytes_of(_batches(1)[0]))


def faults(seed: str) -> list[Case]:
    """Return logs with a torn or corrupt last segment, a wrong index, a full disk or a lost file, which continue."""
    rng = random_for(seed, "faults")
    cut, two = rng.randint(1, _size() - 1), 2 * _size()
    full = sized("full", VALUE_BYTES)
    return [
        _faulty([["damage", -1, "cut", 1]], count=2),
        _faulty([["cut_recover", 3]], count=2),
        _faulty([["damage", -1, "flip", NEAR_THE_END]], count=2),
        _faulty([["disk_full", rng.randint(1, _size() - 1), full]], count=1),
        _faulty([["append_broken", full]], count=1),
        _faulty([["damage", -1, "tail", rng.randint(1, 200)]], count=2),
        _faulty([["damage", -1, "cut", cut], ["damage", -1, "cut", 1]], count=4),
        _faulty([["damage", -1, "cut", cut]], count=5, segment_bytes=two),
        _faulty([["damage", -1, "flip", two + NEAR_THE_END]], count=rng.randint(4, 6)),
        _faulty([["damage", 0, "log_gone", 0]], count=3, segment_bytes=1),
        _faulty([["damage", -1, "log_gone", 0], ["files"]], count=4, segment_bytes=two),
        _faulty([["no_room_for_a_segment", cut, full], ["files"]], count=2, segment_bytes=two),
        *(_reindexed(how, number) for how, number in (("index_gone", 0), ("index_longer", 0), ("index_odd", -1))),
        _reindexed("index_falling", rng.choice([0, -1])),
    ]


def _faulty(steps: list[Step], count: int, segment_bytes: int = ROOMY) -> Case:
    later_steps: list[Step] = [["append", sized("after", 9)], ["read", 1, ROOMY], ["reopen"]]
    return scripted([*appending(_batches(count)), *steps, *later_steps], segment_bytes)


def _reindexed(how: str, number: int) -> Case:
    steps: list[Step] = [["damage", number, how, 0], ["files"], *(["read", offset, _size()] for offset in range(4))]
    return scripted([*appending(_batches(4)), *steps], segment_bytes=2 * _size(), index_bytes=1)


def corrupt(seed: str) -> list[Case]:
    """Return logs with a wrong bit in an older segment, in a value or an offset, and reads around the corrupt batch.

    The corrupt batch is never the first of its file, so that its position is not zero.
    """
    rng = random_for(seed, "corrupt")
    reads = [["read", offset, ROOMY] for offset in range(6)]
    lower, higher = _flips_of_the_crc()
    third, its_offset = [3 * _size(), NEAR_THE_END + _size()], [3 * _size(), 2 * _size() - LAST_OF_OFFSET]
    return [
        _corrupt([2 * _size(), lower], [["read", 1, ROOMY]], count=3),
        _corrupt([2 * _size(), higher], [["read", 0, ROOMY], ["read", 1, ROOMY]], count=3),
        _corrupt(third, [*reads, ["reopen"], *reads], count=6),
        _corrupt(its_offset, reads, count=6),
        _corrupt(third, [["append", sized("after", 9)], *reads], count=5 + rng.randint(1, 3)),
    ]


def _flips_of_the_crc() -> list[int]:
    """Return where a wrong bit of the second batch makes its CRC lower, and higher, in bytes from its end."""
    batch = bytes_of(_batches(2)[1])
    flipped = {at: crc_of(batch[:-at] + bytes([batch[-at] ^ 1]) + batch[len(batch) - at + 1 :]) for at in range(2, 30)}
    right = crc_of(batch)
    return [next(at for at in flipped if (flipped[at] < right) is lower) for lower in (True, False)]


def _corrupt(where: list[int], then: list[Step], count: int) -> Case:
    segment_bytes, from_the_end = where
    damage = ["damage", 0, "flip", from_the_end]
    return scripted([*appending(_batches(count)), damage, *then], segment_bytes, index_bytes=1)


def killed(seed: str) -> list[Case]:
    """Return the number of records after which the writer is killed, for one segment and for many."""
    rng = random_for(seed, "killed")
    return [
        {"segment_bytes": ROOMY, "index_bytes": 4096, "kill_after": rng.randint(20, 60)},
        {"segment_bytes": 500, "index_bytes": 100, "kill_after": rng.randint(100, 300)},
    ]
