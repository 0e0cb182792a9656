"""Seeded cases of `throughput`, smallest first."""

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab05_placement.search.cases import APART, THREE, TWO
from autograder.stages.lab05_placement.search.cases_problems import Machine, bullion


def _rates(
    where: Machine,
    placement: dict[str, int],
    rates: list[tuple[str, str, float]],
    cpu_us: float = 10,
    memory_us: float = 2,
) -> Case:
    traffic = [list(each) for each in rates]
    return {"machine": where, "placement": placement, "traffic": traffic, "cpu_us": cpu_us, "memory_us": memory_us}


def busiest(seed: str) -> list[Case]:
    """Return graphs whose busiest instance is the first, the last or one in the middle.

    Some instances have several senders, and all are placed.
    """
    rng = random_for(seed, "busiest")
    where, at = bullion(4, 4), {"a": 0, "b": 0, "c": 0}
    cycle = [("a", "b", 1.0), ("b", "c", 0.25), ("c", "a", 0.5)]
    drawn = []
    for _ in range(3):
        names = [f"i{number}" for number in range(6)]
        rates = [(s, r, rng.randint(0, 8) / 4) for s in names for r in names if s != r and rng.random() < 0.5]
        rates += [(names[0], names[1], 1.0), (names[2], names[3], 9.0)]
        placed = {name: rng.randrange(4) for name in names}
        drawn.append(_rates(where, placed, list({pair[:2]: pair for pair in rates}.values()), rng.randint(0, 9), 1.5))
    return [
        _rates(where, at, [("a", "b", 1.0), ("b", "c", 0.5)]),
        _rates(where, at, cycle),
        _rates(where, at, [("a", "c", 0.75), ("b", "c", 0.5), ("a", "b", 1.0)]),
        _rates(where, {"a": 0, "b": 3, "c": 1}, cycle),
        *drawn,
    ]


def distances(seed: str) -> list[Case]:
    """Return far and near instances, with much and no computing, also with asymmetric distances and on all nodes."""
    cpu_us = random_for(seed, "distances").randint(11, 99)
    link = [("a", "b", 1.0)]
    uneven = [_rates(where, {"a": 0, "b": 9}, link, cpu_us) for where in (APART,)]
    return [
        _rates(bullion(4, 4), {"a": 0, "b": 2}, link),
        _rates(bullion(4, 4), {"a": 0, "b": 1}, link, cpu_us, 0.5),
        _rates(TWO, {"a": 0, "b": 1}, link, cpu_us),
        _rates(THREE, {"a": 0, "b": 2}, link, 0, 3),
        _rates(THREE, {"a": 2, "b": 0}, link, 7, 0),
        *uneven,
    ]


def sources(seed: str) -> list[Case]:
    """Return the examples of the docstring, and sources that send to several instances."""
    node = random_for(seed, "sources").randrange(4)
    where, near = bullion(4, 4), {"a": 0, "b": 0}
    far, source = {"a": 0, "b": 2}, ("source", "a", 1.0)
    return [
        _rates(where, near, [source, ("a", "b", 0.5)]),
        _rates(where, far, [source, ("a", "b", 0.5)]),
        _rates(where, far, [source, ("a", "b", 1.0)]),
        _rates(where, {"a": node}, [("source", "a", 3.0)], 1, 20),
        _rates(THREE, {"a": 1, "b": 2}, [("s", "b", 2.0), ("t", "b", 1.0), ("s", "a", 1.0), ("a", "b", 0.25)], 3, 5),
    ]


def nobody(seed: str) -> list[Case]:
    """Return rates of nothing, no time per tuple, and instances without a node of the machine, which are all invalid.

    Some of these instances have links without any tuples. The first and the last case are valid.
    """
    high = random_for(seed, "nobody").randint(4, 99)
    where, link = bullion(4, 4), [("a", "b", 1.0)]
    return [
        _rates(where, {"a": 0, "b": 2}, link),
        _rates(where, {"a": 0, "b": 0}, []),
        _rates(where, {"a": 0, "b": 0}, [("a", "b", 0.0)]),
        _rates(where, {"a": 0, "b": 0}, link, 0, 0),
        _rates(where, {"a": 0}, link),
        _rates(where, {"a": 0, "b": high}, link),
        _rates(where, {"a": high, "b": 0}, link),
        _rates(where, {"a": 0, "b": 0}, [*link, ("a", "c", 0.0)]),
        _rates(where, {"a": 0, "b": 0, "c": high}, [*link, ("c", "b", 0.0)]),
        _rates(APART, {"a": 0, "b": 1}, [("source", "b", 1.0)]),
        _rates(where, {"a": 0, "b": 1}, [("a", "b", 0.0), ("b", "a", 0.001)], 0, 1),
    ]
