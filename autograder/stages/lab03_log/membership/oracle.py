"""The right answers of `Membership`."""

from collections.abc import Sequence


def left(members: Sequence[str], gone: str) -> list[str]:
    """Return the members that remain, sorted."""
    return sorted(set(members) - {gone})


def committed(commits: Sequence[Sequence[int]], asked: Sequence[int]) -> dict[str, int]:
    """Return the last offset committed for each partition in `asked`, or 0."""
    last = {partition: offset for partition, offset in commits}
    return {str(partition): last.get(partition, 0) for partition in asked}
