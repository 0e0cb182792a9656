"""Count in choices and assignments: records that had to stay, bytes, partitions that moved."""

from collections.abc import Mapping, Sequence


def stays(chosen: Sequence[int], sizes: Sequence[int], batch_bytes: int) -> list[bool]:
    """Return, for each record but the first, whether it has to go where the one before it went.

    Example: stays([0, 0, 1], sizes=[6, 6, 6], batch_bytes=10) -> [True, False]
    """
    found, full = [], 0
    for at in range(1, len(sizes)):
        full = full + sizes[at - 1] if at == 1 or chosen[at - 1] == chosen[at - 2] else sizes[at - 1]
        found.append(full < batch_bytes)
    return found


def bytes_after_each(chosen: Sequence[int], sizes: Sequence[int], partitions: int) -> list[list[int]]:
    """Return the bytes of every partition after each record."""
    after: list[list[int]] = []
    for at in range(1, len(sizes) + 1):
        after.append(
            [
                sum(size for size, to in zip(sizes[:at], chosen, strict=False) if to == each)
                for each in range(partitions)
            ]
        )
    return after


def moves(owned: Mapping[int, str], assigned: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the partitions that left an owner who stays; `owned` is partition -> the member that had it."""
    return [each for each, name in owned.items() if each not in assigned.get(name, ())]
