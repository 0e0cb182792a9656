"""Seeded cases of `alerts`: one play of three files, one on the learner's own log, and calls without a play.

A record is [topic, partition, offset, key, value, time in ms, received in ms]; its letters are bytes (latin-1), in the
form of the drive's stubs. Rows are early and late by less than the lateness together, since a file's newest row moves
the watermark; one pair is apart by more than its whole seconds. All shops open in the first file, before all payments.
"""

import random
from collections import Counter
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Record = list[Any]
BEGIN_MS, YEAR_MS = 1_700_000_000_000, 365 * 86_400_000
FILES, FILE_MS, LATENESS_S = 3, 100_000, 60.5
EARLY_MS, LATE_MS = 20_000, 30_000  # before and after the border of two files
AHEAD_MS = 10_000
ACCOUNTS = [*(f"a{number}" for number in range(10)), "n1", "n2"]  # the store answers for none of the last two
CLOSING_MS = 2_840_140_800_000  # in the year 2060, for the connector as well


def played(seed: str) -> list[Case]:
    """Return three files with shops, phones, payments, damaged records, and clocks that run ahead."""
    rng = random_for(seed, "alerts played")
    files: list[list[Record]] = [[] for _ in range(FILES)]
    for record in _ordinary(rng, per_account=4):
        files[_file_of(rng, record[5] - BEGIN_MS)].append(record)
    for number, record in _damaged(rng):
        files[number].insert(0, record)
    newest_ms = FILE_MS + EARLY_MS  # of the first file
    files[0].append(_record("positions", "z", "1", newest_ms))
    files[1].append(_record("payments", "z", "late;7;kiosk", newest_ms - 60_300))
    for each in files:
        rng.shuffle(each)
    return [_case("files", [*files, [_closing()]], shards=3, limits=_limits(rng))]


def own_log(seed: str) -> list[Case]:
    """Return fewer records, with damaged ones among them, for topics behind the learner's own log."""
    rng = random_for(seed, "alerts own log")
    records = [*_ordinary(rng, per_account=2), *(record for _, record in _damaged(rng)), _closing()]
    rng.shuffle(records)
    return [_case("own log", [records], shards=2, limits=_limits(rng))]


def described(seed: str) -> list[Case]:
    """Return numbers of shards and latenesses, valid and invalid; no query starts."""
    more = random_for(seed, "alerts described").randint(2, 9)
    pairs: list[tuple[int, Any]] = [(1, 0), (0, 1), (more, 0.5), (-more, 1), (2, -0.001), (2, "inf"), (2, "nan")]
    return [_case("described", [], shards=shards, lateness_s=lateness_s) for shards, lateness_s in pairs]


def _case(how: str, files: list[list[Record]], shards: int, **more: Any) -> Case:
    offsets = Counter[tuple[str, int]]()
    for record in (record for file in files for record in file):
        record[2] = offsets[record[0], record[1]]
        offsets[record[0], record[1]] += 1
    return {
        "how": how,
        "files": files,
        "shards": shards,
        "lateness_s": LATENESS_S,
        "limits": {},
        "ahead_ms": AHEAD_MS,
    } | more


def _record(topic: str, key: str | None, value: str | None, at_ms: int, ahead_ms: int = 0) -> Record:
    partition = 0 if topic == "fences" else sum(map(ord, key or "")) % 2
    return [topic, partition, 0, key, value, BEGIN_MS + at_ms, BEGIN_MS + at_ms - ahead_ms]


def _ordinary(rng: random.Random, per_account: int) -> list[Record]:
    """Return shops that open, and for each account positions and payments at times that all differ."""
    rows = [_record("fences", shop, "square", number) for number, shop in enumerate(("kiosk", "mill"))]
    rows.append(_record("fences", "mill", None, 150_000))
    rows.append(_record("fences", "mall", "planned", YEAR_MS))
    times = rng.sample(range(100, FILES * FILE_MS - 5_000), 2 * per_account * len(ACCOUNTS))
    for number, account in enumerate(ACCOUNTS * per_account):
        seen_ms, paid_ms = times[2 * number : 2 * number + 2]
        rows.append(_record("positions", account, str(rng.randint(1, 9)), seen_ms))
        rows.append(_record("payments", account, f"p{number};{rng.randint(1, 999)};kiosk", paid_ms))
    rows += [_record("positions", "z", "1", FILE_MS * (number + 1) - 4_000) for number in range(FILES)]
    return rows


def _damaged(rng: random.Random) -> list[tuple[int, Record]]:
    """Return (file, record) of unreadable records and of one phone and two tills whose clocks are ahead."""
    at_ms = rng.randint(1_000, 90_000)
    return [
        (0, _record("positions", "a1", "5", at_ms + YEAR_MS, YEAR_MS)),
        (0, _record("payments", "a2", "p\xff;5;kiosk", at_ms)),
        (1, _record("payments", "a\xff", "p;5;kiosk", FILE_MS + at_ms)),
        (1, _record("payments", None, "p;5;kiosk", FILE_MS + at_ms)),
        (1, _record("payments", "a3", "early;7;mill", FILE_MS + at_ms, 2 * AHEAD_MS + 1)),
        (1, _record("payments", "a4", "in-time;7;mill", FILE_MS + at_ms, 2 * AHEAD_MS)),
        (2, _record("positions", "a1", "north", 2 * FILE_MS + at_ms)),
    ]


def _closing() -> Record:
    return _record("positions", "closing", "0", CLOSING_MS - BEGIN_MS)


def _limits(rng: random.Random) -> dict[str, str]:
    """Return the rows of the store; it does not know the last three of the other accounts."""
    return {each: str(rng.randint(100, 999)) for each in ACCOUNTS[:7]}


def _file_of(rng: random.Random, at_ms: int) -> int:
    """Return the file of the time; near the border of two files it may be the neighbouring one.

    What is planned for next year comes in the first file.
    """
    home, moves = at_ms // FILE_MS if at_ms < FILES * FILE_MS else 0, rng.random() < 0.5
    if moves and home > 0 and at_ms % FILE_MS < EARLY_MS:
        return home - 1
    return home + 1 if moves and home < FILES - 1 and at_ms % FILE_MS >= FILE_MS - LATE_MS else home
