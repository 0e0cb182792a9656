"""The log of the three replicas as a function of its seed, for the drive that sends it and for the oracle."""

import random
from typing import Any

PARTITIONS, MOVERS = 2, 60
# Each second question demands all updates so far. Two does not divide the number of replicas, so each replica is asked
# both kinds first, the restarted one too.
DEMANDING_EVERY = 2
SQUARE = ((((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)),),)
IN_THE_EAST, IN_THE_WEST, OUTSIDE = 3.0, 1.0, 5.0
BEGIN_MS = 1_700_000_000_000


def history(case: dict[str, Any]) -> list[list[Any]]:
    """Return [partition, mover, time_ms, lon, lat] of all positions before the first question, in sending order."""
    rng = random.Random(f"history {case['seed']}")
    return [_record(rng.randrange(MOVERS), number, rng) for number in range(case["positions"])]


def updates(case: dict[str, Any]) -> list[list[Any]]:
    """Return the position that is sent and acknowledged before each demanding question.

    Its mover enters or leaves the east.
    """
    rng = random.Random(f"updates {case['seed']}")
    inside = {record[1]: record[3] == IN_THE_EAST for record in history(case)}
    found = []
    count = len(range(0, case["questions"], DEMANDING_EVERY))
    for number in range(case["positions"], case["positions"] + count):
        record = _record(rng.randrange(MOVERS), number, rng)
        record[3] = OUTSIDE if inside.get(record[1]) else IN_THE_EAST
        inside[record[1]] = record[3] == IN_THE_EAST
        found.append(record)
    return found


def partition_of(mover: str) -> int:
    """Return the partition of a mover's positions."""
    return int(mover[1:]) % PARTITIONS


def _record(mover: int, number: int, rng: random.Random) -> list[Any]:
    lon = rng.choice([IN_THE_EAST, IN_THE_WEST, OUTSIDE])
    name = f"m{mover:02}"
    return [partition_of(name), name, BEGIN_MS + number, lon, 2.0]
