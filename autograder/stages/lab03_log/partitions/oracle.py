"""The right answers about partitions in plain Python: the partition of a key, the owner of a partition.

An assignment is judged by its properties, so none is computed here; counting gives the fewest moves.
"""

from collections.abc import Mapping, Sequence
from typing import Any

SEED, MULTIPLIER, SHIFT = 0x9747B28C, 0x5BD1E995, 24
UNSIGNED = 2**32

Assigned = Mapping[str, Sequence[int]]


def murmur2(key: bytes) -> int:
    """Return the 32-bit MurmurHash2 of Austin Appleby (public domain), with the seed that Kafka's clients use.

    Source of seed and masking: org.apache.kafka.common.utils.Utils.murmur2 and toPositive; the vectors are those of
    Kafka's own UtilsTest.testMurmur2. Example: murmur2(b"21") -> 3321639202 (in Java -973932308)
    """
    mixed = (SEED ^ len(key)) % UNSIGNED
    whole = len(key) // 4 * 4
    for at in range(0, whole, 4):
        word = int.from_bytes(key[at : at + 4], "little") * MULTIPLIER % UNSIGNED
        mixed = mixed * MULTIPLIER % UNSIGNED ^ (word ^ word >> SHIFT) * MULTIPLIER % UNSIGNED
    if whole < len(key):
        mixed = (mixed ^ int.from_bytes(key[whole:], "little")) * MULTIPLIER % UNSIGNED
    mixed = (mixed ^ mixed >> 13) * MULTIPLIER % UNSIGNED
    return mixed ^ mixed >> 15


def has_sign(key: bytes) -> bool:
    """Return whether the hash is negative as a signed 32-bit integer."""
    return murmur2(key) >= UNSIGNED // 2


def partition_for(key: bytes, partitions: int) -> int:
    """Return the partition that Kafka's default partitioner chooses."""
    return murmur2(key) % (UNSIGNED // 2) % partitions


# Records without a key


def least_loaded_is_another(case: dict[str, Any]) -> bool:
    """Return whether a partition whose batch is full never has fewer bytes than all others."""
    loads, at, full, batch_bytes = [0] * case["partitions"], 0, 0, case["batch_bytes"]
    for size in case["sizes"]:
        if full >= batch_bytes:
            others = [each for each in range(case["partitions"]) if each != at]
            least = min(others, key=loads.__getitem__)
            if loads[at] < loads[least]:
                return False
            at, full = least, 0
        loads[at] += size
        full += size
    return True


# Groups


def owner_of(partition: int, members: Sequence[str], previous: Assigned) -> str | None:
    """Return the remaining member that had the partition, the first alphabetically if there are several, or None."""
    return min((name for name in members if partition in previous.get(name, ())), default=None)


def owned(partitions: int, members: Sequence[str], previous: Assigned) -> dict[int, str]:
    """Return partition -> the member that had it, without the partitions that nobody had."""
    owners = {each: owner_of(each, members, previous) for each in range(partitions)}
    return {each: name for each, name in owners.items() if name is not None}


def fewest_moves(partitions: int, members: Sequence[str], previous: Assigned) -> int:
    """Return how many partitions have to leave an owner who stays.

    Each owner keeps at most the smaller share, and as many owners as there are larger shares keep one more.
    Example: fewest_moves(3, ["a", "b"], {"a": [0, 1, 2]}) -> 1
    """
    if not members:
        return 0
    had = list(owned(partitions, members, previous).values())
    share, larger = divmod(partitions, len(members))
    counts = [had.count(name) for name in members]
    kept = sum(min(count, share) for count in counts) + min(larger, sum(count > share for count in counts))
    return len(had) - kept
