"""Seeded cases of `pin`, smallest first. Cores below 1000 are positions among those that the drive may use."""

from autograder.checks import Case
from autograder.checks.seeds import random_for

NO_CORE = 4093


def threads(seed: str) -> list[Case]:
    """Return processes with several threads, pinned to different cores; in the last, one starts meanwhile."""
    many = random_for(seed, "threads").randint(6, 20)
    first = [{"threads": 3, "cores": [0]}, {"threads": many, "cores": [1]}, {"threads": 2, "cores": [0, 1]}]
    return [*first, {"threads": 3, "cores": [0], "starts_meanwhile": True}]


def answers(seed: str) -> list[Case]:
    """Return cores in any order, some of them twice."""
    twice = random_for(seed, "answers").randint(0, 1)
    return [{"threads": 1, "cores": [1]}, {"threads": 2, "cores": [1, 0, 0]}, {"threads": 1, "cores": [twice, twice]}]


def unavailable(seed: str) -> list[Case]:
    """Return unavailable cores (none, unknown, unknown among others), a process that has ended, and valid cores."""
    more = random_for(seed, "unavailable").randint(1, 3)
    return [
        {"threads": 2, "cores": [0]},
        {"threads": 2, "cores": [0, NO_CORE]},
        {"threads": 1 + more, "cores": [NO_CORE]},
        {"threads": 2, "cores": []},
        {"threads": 1, "cores": [0], "gone": True},
    ]
