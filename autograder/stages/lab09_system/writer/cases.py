"""Seeded cases of `AlertWriter`: batches [number, rows], and the operations of the log at which a fault comes.

`at` 0 is no fault; operation 1 is the first `begin`. `times` is the number of faults in a row, null for ever.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Batch = list[Any]
TWO: list[Batch] = [[0, ["p1"]], [1, ["p2", "p3"]]]
LATEST = 12  # no right writer needs more operations for `_several` without a fault


def again(seed: str) -> list[Case]:
    """Return writes of batches that are in the log: written before, by this writer or by an earlier one."""
    rng = random_for(seed, "again")
    several = _several(rng)
    repeated = [each for batch in several for each in [batch] * rng.randint(1, 2)]
    return [
        _case("none", [0], [TWO[0], TWO[0]]),
        _case("none", [0], [[3, ["p1"]], [3, ["p1"]]]),  # numbers may have gaps
        _case("none", [0], [*TWO, TWO[1], TWO[0]], earlier=[]),
        _case("none", [0], [TWO[1], [2, ["p4"]], [2, ["p4"]]], earlier=TWO),
        _case("none", [0], [[0, []], [0, []], [1, ["p1"]]]),
        _case("none", [0], repeated),
    ]


def deaths(seed: str) -> list[Case]:
    """Return deaths of the writer before and after each operation; a new one goes on with the next epoch."""
    return _at_each_operation(seed, "dies")


def lost_answers(seed: str) -> list[Case]:
    """Return answers that are lost, once, before or after each operation had its effect; some writers then give up."""
    several = _several(random_for(seed, "given up"))
    given_up = [
        _case(f"lost {when}", at, writes, times=1, tries=1, again=True)
        for at, writes in (([2, 3], TWO), (list(range(2, 8)), several))
        for when in ("before", "after")
    ]
    return [*_at_each_operation(seed, "lost"), *given_up, _case("commits lost", [1], TWO, times=3, again=True)]


def zombies(seed: str) -> list[Case]:
    """Return writers that stop for a while before each operation; meanwhile another one writes everything."""
    several = _several(random_for(seed, "zombies"))
    return [_case("overtaken", [2], TWO), _case("overtaken", list(range(2, LATEST)), several)]


def outages(seed: str) -> list[Case]:
    """Return logs that do not answer any more, and logs that answer at the last try."""
    several = _several(random_for(seed, "outages"))
    every = list(range(1, 6))
    return [
        _case("lost before", [2], TWO, times=None),
        _case("lost before", [3], [[3, ["p1"]]], times=None),  # numbers may have gaps
        _case("lost before", every, several, times=None, tries=1),
        _case("lost before", every, several, times=None, tries=4),
        _case("lost before", every, several, times=4, tries=5),
        _case("commits lost", [1], TWO, times=4, tries=5),
        _case("commits lost", [1], TWO, times=None, tries=4),
    ]


def kafka(seed: str) -> list[Case]:
    """Return the case of two writers on a real broker."""
    first = random_for(seed, "kafka").randint(100, 900)
    batches = [[number, [f"p{first + 3 * number + each}" for each in range(3)]] for number in range(4)]
    return [{"kafka": True, "batches": batches}]


def _at_each_operation(seed: str, kind: str) -> list[Case]:
    several = _several(random_for(seed, kind))
    small = [_case(f"{kind} {when}", [3], TWO, times=1) for when in ("before", "after")]
    all_of_them = [_case(f"{kind} {when}", list(range(1, LATEST)), several, times=1) for when in ("before", "after")]
    return [*small, *all_of_them]


def _several(rng: random.Random) -> list[Batch]:
    """Return three batches of one or two rows; one has two equal rows."""
    first = rng.randint(10, 90)
    batches = [[f"p{first}"], [f"p{first + 1}", f"p{first + 2}"], [f"p{first + 3}", f"p{first + 3}"]]
    rng.shuffle(batches)
    return [[number, rows] for number, rows in enumerate(batches)]


def _case(fault: str, at: list[int], writes: list[Batch], **more: Any) -> Case:
    return {"fault": fault, "at": at, "writes": writes, "earlier": [], "tries": 3, **more}
