"""Batches of log lines [id, service, content], smallest first. `places` is the number of sessions the cache keeps."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab06_enrichment.log_lines import log_lines

IDS = 1000  # the ids of drawn lines are below
SMALL = [[0, "auth", "Invalid user eve"], [1, "web", "GET /cart 200 512 bytes in 9 ms"]]


def lines(seed: str) -> list[Case]:
    """Return batches of all services, one of them empty and one with a single line."""
    rng = random_for(seed, "lines")
    some = _lines(rng, 60)
    return [_case([SMALL]), _case([some[:1], [], some[1:25], some[25:]]), _case([[]])]


def kept(seed: str) -> list[Case]:
    """Return alternating services, in batches with few places in the cache."""
    rng = random_for(seed, "kept")
    by_service: dict[str, list[Any]] = {"auth": [], "web": [], "db": []}
    for line in _lines(rng, 60):
        by_service[line[1]].append(line)
    batches = [own[:5] for own in by_service.values()] + [own[5:9] for own in by_service.values()]
    return [_case([SMALL], 2), _case(batches, 1), _case([*batches, []], 2)]


def unreadable(seed: str) -> list[Case]:
    """Return missing and blank text and services without a model, alone and among others.

    In one, `new` names a service that has the model of another one, after a call in which it had none.
    """
    rng = random_for(seed, "unreadable")
    no_text: list[list[Any]] = [["auth", None], ["db", ""], ["web", " \t\n"], [None, None]]
    bad = [*no_text, ["mail", "hello"], ["", "hello"], [None, "hello"]]
    odd = [[IDS + at, *each] for at, each in enumerate(bad)]  # no drawn line has such an id
    mixed = odd + _lines(rng, 8)
    rng.shuffle(mixed)
    return [
        _case([SMALL]),
        {**_case([[[0, "mail", "Invalid user eve"]]]), "new": ["mail", "auth"]},
        _case([odd]),
        _case([mixed]),
    ]


def _lines(rng: random.Random, count: int) -> list[list[Any]]:
    drawn = log_lines(str(rng.random()), count, (0.5, 0.25, 0.25))
    ids = rng.sample(range(IDS), count)
    return [[name, each.service, each.content] for name, each in zip(ids, drawn, strict=True)]


def _case(batches: list[list[list[Any]]], places: int = 3) -> Case:
    return {"batches": batches, "places": places}
