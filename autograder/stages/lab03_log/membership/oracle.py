"""The right answers of `Membership`."""

from collections.abc import Sequence


def left(members: Sequence[str], gone: str) -> list[str]:
    """Who is still there, sorted."""
    return sorted(set(members) - {gone})


def committed(commits: Sequence[Sequence[int]], asked: Sequence[int]) -> dict[str, int]:
    """The last offset committed for each partition asked for; 0 where none was."""
    last = {partition: offset for partition, offset in commits}
    return {str(partition): last.get(partition, 0) for partition in asked}
