"""Checks the seconds of a simulated cluster: (engines, workers on, scheduled CPU of each worker)."""

from typing import Any

CAPACITY = 1000


def are_seconds(seconds: Any) -> bool:
    """Return whether these are seconds in the drive's form, at least one."""
    return isinstance(seconds, list) and bool(seconds) and all(map(_is_second, seconds))


def _is_second(second: Any) -> bool:
    if not isinstance(second, list) or len(second) != 3 or not isinstance(second[2], list):
        return False
    return all(type(each) is int for each in [*second[:2], *second[2]])


def over_capacity(seconds: list[Any]) -> tuple[int, int, int] | None:
    """Return the first (second, worker, CPU) at which a worker is scheduled beyond its capacity."""
    for now_s, (_, _, scheduled) in enumerate(seconds):
        for worker, cpu in enumerate(scheduled):
            if cpu > CAPACITY:
                return now_s, worker, cpu
    return None


def opened_too_early(seconds: list[Any], size: int) -> tuple[int, int, int] | None:
    """Return the first engine of a worker that comes while a lower worker has room.

    It is returned as (second, worker, lower worker).
    """
    opened: set[int] = set()
    for now_s, (_, _, scheduled) in enumerate(seconds):
        roomy = next((at for at, cpu in enumerate(scheduled) if cpu + size <= CAPACITY), len(scheduled))
        for worker, cpu in enumerate(scheduled):
            if cpu and worker not in opened:
                opened.add(worker)
                if roomy < worker:
                    return now_s, worker, roomy
    return None
