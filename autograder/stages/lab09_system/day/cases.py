"""Seeded cases of `start_job`: four files with a failing writer, and then a whole day."""

from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab09_system.live.day import DAY, LATENESS_S

FAILS_AT = 2  # the batch at which the writer raises


def job_and_day(seed: str) -> list[Case]:
    """Return a job of four micro-batches, one of which has no rows, and a day."""
    return [_job(seed), _day(seed)]


def _job(seed: str) -> Case:
    rng = random_for(seed, "job")
    accounts = rng.sample([f"acc{number}" for number in range(100)], 5)
    files: list[list[Any]] = [[accounts[0], "dead"], [], [accounts[1], accounts[2]], [accounts[3], accounts[4]]]
    return {"files": files, "fails_at": FAILS_AT}


def _day(seed: str) -> Case:
    return {"day": seed, "parts": [[part.name, list(part.sources)] for part in DAY], "lateness_s": LATENESS_S}
