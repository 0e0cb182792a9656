"""Seeded cases of `batch_of_shard`: batches of records [topic, key, value, time in ms, offset] with a watermark.

Values have the form of the drive's stubs. No mover has two positions of the same time.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Record = list[Any]


def _position(mover: str, time_ms: int, lon: int, offset: int) -> Record:
    return ["positions", mover, f"{lon};59.5", time_ms, offset]


def _fence(fence: str, time_ms: int, longitudes: list[int] | None, offset: int) -> Record:
    return ["fences", fence, None if longitudes is None else ";".join(map(str, longitudes)), time_ms, offset]


def _case(*batches: tuple[list[Record], int], reports_fences: bool = True) -> Case:
    rows = [{"records": records, "watermark_ms": watermark_ms} for records, watermark_ms in batches]
    return {"batches": rows, "reports_fences": reports_fences}


def first_batch(seed: str) -> list[Case]:
    """Return single batches: what the watermark has reached, in any order of arrival, with rows that wait."""
    rng = random_for(seed, "first batch")
    small = [_fence("f", 10, [1], 0), _position("m", 20, 1, 0), _position("m", 60, 2, 1)]
    edge = [_position("m", 50, 2, 0), _fence("f", 50, [1], 9), _position("m", 51, 1, 1), _fence("f", 0, [2], 8)]
    return [
        _case((small, 50)),
        _case((small[::-1], 60)),
        _case((edge, 50), reports_fences=False),
        _case(([], 50)),
        _case((_rows(rng, range(100), 0), 100)),
        _case((_rows(rng, range(100), 0), 70)),
    ]


def several_batches(seed: str) -> list[Case]:
    """Return batches after which rows wait, movers are inside, and some changes and positions are late."""
    rng = random_for(seed, "several batches")
    inside = [_fence("f", 10, [1], 0), _position("m", 20, 1, 0)]
    late = [_fence("g", 30, [1], 1), _position("n", 50, 1, 2), _position("m", 40, 2, 3), _position("n", 61, 1, 4)]
    return [
        _case((inside, 15), ([], 20), ([_position("m", 30, 2, 1)], 40)),
        _case((inside, 50), (late, 60), ([_position("m", 70, 3, 5)], 99)),
        _case((inside, 50), ([], 50), (late, 50), ([], 80), reports_fences=False),
        *(_drawn(rng) for _ in range(6)),
    ]


def unreadable(seed: str) -> list[Case]:
    """Return unreadable records among others, in the shard that reports fences, and in another one."""
    at_ms = random_for(seed, "unreadable").randint(70, 99)
    good: list[Record] = [_fence("f", 10, [1], 0), _position("m", 20, 1, 1)]
    position: Record = ["positions", "n", "?", 15, 0]
    fence: Record = ["fences", "g", "?", 12, 1]
    nameless: list[Record] = [
        ["positions", None, "1;59.5", at_ms, 2],
        ["fences", "", "1;2", 5, 3],
        ["positions", "o", None, 90, 4],
    ]
    return [
        _case(([position, *good], 50)),
        _case(([["positions", "n", None, -5, 0]], 50)),
        _case(([fence, *good], 50), reports_fences=False),
        _case(([good[0], fence, good[1]], 50)),
        _case(([good[0], *nameless, good[1]], 50), ([fence, position], at_ms), ([], 200)),
        _case(([good[0], *nameless, good[1]], 50), ([fence, position], at_ms), reports_fences=False),
    ]


def _drawn(rng: random.Random) -> Case:
    """Return four batches with rows up to 60 ms late, and a last one that reaches all rows."""
    starts = (0, 50, 100, 150)
    filled = [(_rows(rng, range(max(0, start - 60), start + 80), 50 * start), start + 30) for start in starts]
    return _case(*filled, ([], 999), reports_fences=False)


def _rows(rng: random.Random, times: range, first_offset: int) -> list[Record]:
    """Return fences and positions in any order. Offsets rise with the time; each time belongs to one row."""
    found, drawn = list[Record](), sorted(rng.sample(times, 30))
    for offset, time_ms in enumerate(drawn, first_offset):
        if rng.random() < 0.7:
            found.append(_position(rng.choice("mnop") + str(first_offset), time_ms, rng.randint(0, 4), offset))
        else:
            longitudes = None if rng.random() < 0.2 else rng.sample(range(5), 2)
            found.append(_fence(rng.choice("fgh"), time_ms, longitudes, offset))
    rng.shuffle(found)
    return found
