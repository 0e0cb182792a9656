"""Seeded cases of `TopicClient`: few and small, since real clients talk to a broker."""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for

PARTITIONS = 4


def published(seed: str) -> list[Case]:
    """Return records that the learner's client sends and a group of the kit's reads."""
    return [{"records": _records(random_for(seed, "published"), 40), "writes": "yours", "partitions": PARTITIONS}]


def shared(seed: str) -> list[Case]:
    """Return records that the kit sends before and after two groups of the learner's have come."""
    rng = random_for(seed, "shared")
    return [{"earlier": [["k", "first"]], "records": _records(rng, 40), "writes": "kit", "partitions": PARTITIONS}]


def _records(rng: random.Random, count: int) -> list[list[str]]:
    return [[f"key {rng.randrange(20)}", f"v{number}"] for number in range(count)]
