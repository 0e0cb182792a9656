"""Seeded cases of `push`: one play of three files, and one run on Kafka.

A record is [topic, key, value, time in ms]; its letters are bytes (latin-1). Values have the form of the drive's stubs.
The earliness of one row and the delay of another one add up to less than the lateness, because a file's newest row
moves the watermark.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Record = list[Any]
BEGIN_MS = 1_700_000_000_000
FILE_S, FILES, LATENESS_S = 100, 3, 60.5
EARLY_S, LATE_S = 20, 30  # before and after the border of two files
MOVERS, FENCES, LONGITUDES = 12, 4, 6
STANDS, COMES_LATE, IN_TIME = 77, 88, 99  # longitudes that belong to only one mover and one fence
CLOSING: Record = ["positions", "closing", "-170;0", 2_840_140_800_000]  # in the year 2060


def played(seed: str) -> list[Case]:
    """Return three files with 12 movers.

    They include a mover that stands still and whose fence comes late, a late position, and unreadable records.
    """
    rng = random_for(seed, "played")
    files: list[list[Record]] = [[] for _ in range(FILES)]
    for at_s, record in _ordinary(rng):
        files[_file_of(rng, at_s)].append(record)
    for file in files:
        rng.shuffle(file)
    for number, record in [*_twice(rng), *_late(), *_first(), *_unreadable(rng), *_newest(), *_in_time()]:
        files[number].insert(len(files[number]) if number == 0 else 0, record)
    return [_case("played", files, shards=2)]


def killed(seed: str) -> list[Case]:
    """Return the ordinary records on Kafka in any order, in one batch.

    Then the watermark moves, and the job is killed.
    """
    rng = random_for(seed, "killed")
    records = [record for _, record in _ordinary(rng)]
    rng.shuffle(records)
    return [_case("killed", [records], shards=3)]


def _case(how: str, files: list[list[Record]], shards: int) -> Case:
    return {"how": how, "files": files, "closing": CLOSING, "shards": shards, "lateness_s": LATENESS_S}


def _at(at_s: float) -> int:
    return BEGIN_MS + round(1000 * at_s)


def _position(mover: str, at_s: float, lon: int) -> Record:
    return ["positions", mover, f"{lon};59.5", _at(at_s)]


def _change(fence: str, at_s: float, longitudes: list[int] | None) -> Record:
    return ["fences", fence, None if longitudes is None else ";".join(map(str, longitudes)), _at(at_s)]


def _ordinary(rng: random.Random) -> list[tuple[float, Record]]:
    """Return positions of 12 movers and changes of 4 fences at any time.

    The first fences come before all positions.
    """
    rows: list[tuple[float, Record]] = []
    for number in range(FENCES):
        times = [number, *sorted(rng.sample(range(15, FILES * FILE_S), 3))]
        versions = [rng.sample(range(LONGITUDES), 3) for _ in times]
        rows += [(at_s, _change(f"f{number}", at_s, lons)) for at_s, lons in zip(times, versions, strict=True)]
    deleted_s = rng.randint(120, 180)
    rows += [(5, _change("g", 5, [0, 1, 2])), (deleted_s, _change("g", deleted_s, None))]
    for number in range(MOVERS):
        times = rng.sample(range(10, FILES * FILE_S), 5)
        rows += [(at_s, _position(f"m{number}", at_s, rng.randrange(LONGITUDES))) for at_s in times]
    return rows


def _file_of(rng: random.Random, at_s: float) -> int:
    """Return the file of the time; near the border of two files it may be the neighbouring one."""
    home = int(at_s // FILE_S)
    moves = rng.random() < 0.5
    if moves and home > 0 and at_s % FILE_S < EARLY_S:
        return home - 1
    return home + 1 if moves and home < FILES - 1 and at_s % FILE_S >= FILE_S - LATE_S else home


def _twice(rng: random.Random) -> list[tuple[int, Record]]:
    """Return two positions of the same time, the first of which counts, and a fence that comes at that time."""
    at_s, first, second = 50.5, *rng.sample(range(LONGITUDES), 2)
    rows = [_position("m0", at_s, first), _position("m0", at_s, second), _change("h", at_s, [first])]
    return [(0, row) for row in rows]


def _late() -> list[tuple[int, Record]]:
    """Return a late fence of a mover that stands still (`s`), and a late position (`l`).

    The late position lies in a fence that `l` enters later.
    """
    still = [(0, _position("s", 12, STANDS)), (2, _change("late", 30, [STANDS])), (2, _change("late", 250, [1000]))]
    seen = [(0, _change("l", 6, [COMES_LATE])), (0, _position("l", 12, 50)), (2, _position("l", 260, COMES_LATE))]
    return [*still, *seen, (2, _position("l", 40, COMES_LATE))]


def _in_time() -> list[tuple[int, Record]]:
    """Return a fence, the newest position of the first file, and one that is just in time for the next file."""
    newest_s = FILE_S + EARLY_S
    fence, newest = _change("k", 7, [IN_TIME]), _position("z", newest_s, 60)
    return [(0, fence), (0, newest), (1, _position("k", newest_s - int(LATENESS_S) - 0.3, IN_TIME))]


def _first() -> list[tuple[int, Record]]:
    """Return a fence and a mover just after the first watermark, which is 0: no row is late in the first file."""
    return [(0, ["fences", "e", "45", 1]), (0, ["positions", "e", "45;59.5", 1])]


def _unreadable(rng: random.Random) -> list[tuple[int, Record]]:
    """Return a position of a known mover, a fence without a key, and a key that is not UTF-8, all unreadable."""
    times = [_at(rng.randint(20, 80) + FILE_S * number) for number in range(FILES)]
    return [
        (0, ["positions", "m1", "here", times[0]]),
        (1, ["fences", None, "1;2", times[1]]),
        (2, ["positions", "\xff", "there", times[2]]),
    ]


def _newest() -> list[tuple[int, Record]]:
    """Return a position near the end of each file, so that each file moves the watermark."""
    return [(number, _position("z", FILE_S * (number + 1) - 4, 60)) for number in range(FILES)]
