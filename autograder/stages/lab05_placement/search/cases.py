"""Seeded cases of `cost`, `swap_gain`, `place` and `throughput`, smallest first."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab05_placement.search.cases_problems import (
    HOPS,
    PAIRS,
    SOCKETS,
    UNEVEN,
    Machine,
    bullion,
    machine,
    of_queries,
    problem,
    small,
    tangled,
)

TWO, THREE = machine(SOCKETS, [4, 4]), machine(UNEVEN, [4, 3, 3])
APART = machine(UNEVEN, [4, 3, 3], [0, 8, 9])

# cost


def _cost(where: Machine, placement: dict[str, int], *traffic: tuple[str, str, float]) -> Case:
    return {"machine": where, "placement": placement, "traffic": [list(each) for each in traffic]}


def paid(seed: str) -> list[Case]:
    """Return links between different nodes, in both directions, on machines with asymmetric distances."""
    rng = random_for(seed, "paid")
    both = [("a", "b", 100), ("b", "a", 7)]
    drawn = []
    for where in (APART, THREE, machine(HOPS, [2, 2, 2, 2])):
        at = dict(zip("abcdefgh", where["nodes"] * 2, strict=False))
        pairs = [(s, r) for s in at for r in at if at[s] != at[r] and rng.random() < 0.4] or [("a", "b")]
        drawn.append(_cost(where, at, *((s, r, rng.randint(0, 10**9)) for s, r in pairs)))
    return [
        _cost(THREE, {"a": 0, "b": 1}, ("a", "b", 100)),
        _cost(THREE, {"a": 1, "b": 0}, ("a", "b", 100)),
        _cost(THREE, {"a": 0, "b": 2}, *both),
        _cost(APART, {"a": 8, "b": 9}, *both),
        _cost(TWO, {"a": 0, "b": 1, "idle": 0}, ("a", "b", 0.5)),
        *drawn,
    ]


def stays(seed: str) -> list[Case]:
    """Return the example of the docstring, a placement on one node, and one without traffic."""
    some = random_for(seed, "stays").randint(1, 10**6)
    chain = [("a", "b", 100), ("b", "c", 10)]
    return [
        _cost(TWO, {"a": 0, "b": 1, "c": 1}, *chain),
        _cost(TWO, {"a": 1, "b": 1, "c": 1}, *chain),
        _cost(APART, {"a": 9, "b": 9, "c": 0}, ("a", "b", some), ("b", "a", 2 * some), ("b", "c", 3)),
        _cost(TWO, {"a": 0}),
    ]


def without_node(seed: str) -> list[Case]:
    """Return senders and receivers without a node or on an unknown node, and placements that are complete."""
    high = random_for(seed, "without node").randint(10, 99)
    link = ("a", "b", 100)
    return [
        _cost(THREE, {"a": 0, "b": 1}, link),
        _cost(THREE, {"a": 0}, link),
        _cost(THREE, {"b": 0}, link),
        _cost(THREE, {"a": 0, "b": 3}, link),
        _cost(THREE, {"a": -1, "b": 0}, link),
        _cost(APART, {"a": 0, "b": 1}, link),
        _cost(THREE, {"a": high, "b": 0}, link),
        _cost(THREE, {}, ("a", "b", 0)),
        _cost(APART, {"a": 0, "b": 9, "c": 1}, link),
    ]


# swap_gain


def _swaps(where: Machine, placement: dict[str, int], pairs: list[Any], *traffic: tuple[str, str, float]) -> Case:
    return {**_cost(where, placement, *traffic), "pairs": [list(pair) for pair in pairs]}


def _drawn_swaps(rng: random.Random, linked: bool) -> Case:
    """Return ten instances and pairs of them that are all linked with each other, or all not."""
    drawn = tangled(rng, 10, THREE)
    slots = [node for node, cores in zip(THREE["nodes"], THREE["cores"], strict=True) for _ in range(cores)]
    placement = dict(zip(drawn["instances"], rng.sample(slots, 10), strict=True))
    together = {frozenset(row[:2]) for row in drawn["traffic"]}
    every = [[a, b] for a in placement for b in placement if a < b and (frozenset((a, b)) in together) == linked]
    return {**_cost(THREE, placement), "traffic": drawn["traffic"], "pairs": every[:12]}


def swaps(seed: str) -> list[Case]:
    """Return pairs without a link: receivers, senders, both; on the same node; and without any traffic."""
    rng = random_for(seed, "swaps")
    at = {"a": 0, "b": 1, "c": 2, "d": 2}
    return [
        _swaps(THREE, at, [("a", "c")], ("b", "a", 100)),
        _swaps(THREE, at, [("a", "c"), ("c", "a")], ("a", "b", 100)),
        _swaps(THREE, at, [("a", "c")], ("a", "b", 100), ("b", "a", 10), ("d", "c", 7), ("c", "b", 1)),
        _swaps(THREE, at, [("c", "d")], ("a", "c", 5), ("d", "b", 3)),
        _swaps(APART, {"a": 0, "b": 8, "c": 9}, [("a", "b"), ("b", "c")], ("a", "c", 5), ("c", "a", 4)),
        *(_drawn_swaps(rng, linked=False) for _ in range(3)),
    ]


def linked(seed: str) -> list[Case]:
    """Return pairs that send to each other, in one direction and in both; some have further links."""
    rng = random_for(seed, "linked")
    at = {"a": 0, "b": 1, "c": 2}
    return [
        _swaps(THREE, at, [("a", "b")], ("a", "b", 100)),
        _swaps(THREE, at, [("a", "b"), ("b", "a")], ("b", "a", 100)),
        _swaps(THREE, at, [("a", "b")], ("a", "b", 100), ("b", "a", 30), ("b", "c", 10)),
        _swaps(TWO, {"a": 0, "b": 1}, [("a", "b")], ("a", "b", 100)),
        _swaps(THREE, {"a": 1, "b": 1}, [("a", "b")], ("a", "b", 100)),
        *(_drawn_swaps(rng, linked=True) for _ in range(3)),
    ]


def asked(seed: str) -> list[Case]:
    """Return pairs among instances that have traffic as well."""
    rng = random_for(seed, "asked")
    at = {"a": 0, "b": 1, "c": 2, "d": 2}
    small_one = _swaps(THREE, at, [("a", "c")], ("a", "b", 100), ("b", "d", 7), ("d", "c", 1))
    return [small_one, _drawn_swaps(rng, linked=False)]


# place


def together(seed: str) -> list[Case]:
    """Return problems in which all instances fit on one node, or all but one.

    Some have a node without cores, use all cores, or have one instance or none.
    """
    rng = random_for(seed, "together")
    pair = problem(["a", "b"], {("a", "b"): 100}, TWO)
    star = {("a", name): 10 for name in "bcdefg"}
    return [
        pair,
        problem(list("abcdef"), {("a", name): 10 for name in "bcdef"}, machine(SOCKETS, [3, 3])),
        problem(list("abcdefg"), star, machine(UNEVEN, [4, 0, 3])),
        problem(list("abcdefg"), star, machine(UNEVEN, [4, 1, 3], [0, 8, 9])),
        problem(list("abc"), {}, machine(SOCKETS, [1, 2])),
        problem(["a"], {}, TWO),
        problem([], {}, TWO),
        of_queries(rng, 30, bullion(4, 8)),
        of_queries(rng, 32, bullion(4, 8)),
    ]


def searched(seed: str) -> list[Case]:
    """Return traffic of queries and traffic without structure, on full machines and on machines with free cores."""
    rng = random_for(seed, "searched")
    pair = problem(["a", "b", "c", "d"], {("a", "b"): 9, ("c", "d"): 9, ("a", "c"): 1}, machine(SOCKETS, [2, 3]))
    made = [pair]
    for where in (machine(PAIRS, [6, 6, 5, 5]), machine(UNEVEN, [8, 8, 8])):
        cores = sum(where["cores"])
        made += [of_queries(rng, cores - 3, where), tangled(rng, cores, where), tangled(rng, cores - 3, where)]
    one_start = [{**each, "starts": 1} for each in (made[2], made[4])]
    return [*made, *one_start]


def small_ones(seed: str) -> list[Case]:
    """Return 24 problems of at most ten instances."""
    return [{"problems": small(random_for(seed, "small ones"), 24)}]


def large_ones(seed: str) -> list[Case]:
    """Return two problems of 72 instances on the 72 cores of 8 nodes."""
    rng = random_for(seed, "large ones")
    return [{"problems": [of_queries(rng, 72, bullion(8, 9), degrees=(2, 6)) for _ in range(2)], "starts": 2}]


def repeated(seed: str) -> list[Case]:
    """Return a problem with many placements of nearly the same cost, placed again here and in another process."""
    rng = random_for(seed, "repeated")
    return [{**tangled(rng, 32, machine(PAIRS, [8, 8, 8, 8]), density=0.22), "again": True}]


def too_many(seed: str) -> list[Case]:
    """Return problems with more instances than cores, as many as cores, and no core at all."""
    rng = random_for(seed, "too many")
    full, names = machine(SOCKETS, [2, 1]), ["a", "b", "c", "d", *(f"i{number}" for number in range(9))]
    chain = {("a", "b"): 9, ("b", "c"): 1}
    return [
        problem(names[:3], chain, full),
        problem(names[:4], chain, full),
        problem(names[: rng.randint(5, 13)], chain, full),
        problem(["a", "b"], {("a", "b"): 1}, machine(SOCKETS, [1, 0])),
        problem(["a"], {}, machine(SOCKETS, [0, 0])),
        problem(["a", "b"], {("a", "b"): 1}, machine(SOCKETS, [0, 2])),
    ]


def routed(seed: str) -> list[Case]:
    """Return rows of two queries, each routed from a subquery's instance to the owner of its bucket in the next one."""
    rng = random_for(seed, "routed")
    senders = {"q": ["q.0", "q.1", "q.2"], "r": ["r.0", "r.1"]}
    receivers = {"q": ["counts.0", "counts.1", "counts.2"], "r": ["joins.0", "joins.1"]}
    rows = []
    for number in range(600):
        query = rng.choice("qqr")
        ip = f"10.0.{rng.randrange(4)}.{min(int(rng.paretovariate(0.8)), 200)}"
        rows.append([rng.choice(senders[query]), {"t": number, "ip": ip, "url": "/" + "x" * rng.randrange(40)}])
    instances = [each for some in (senders, receivers) for names in some.values() for each in names]
    return [{"rows": rows, "instances": instances, "receivers": receivers, "machine": machine(PAIRS, [3, 3, 3, 3])}]


# throughput


def _rates(
    where: Machine,
    placement: dict[str, int],
    rates: list[tuple[str, str, float]],
    cpu_us: float = 10,
    memory_us: float = 2,
) -> Case:
    return {**_cost(where, placement, *rates), "cpu_us": cpu_us, "memory_us": memory_us}


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

    The first and the last case are valid.
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
        _rates(APART, {"a": 0, "b": 1}, [("source", "b", 1.0)]),
        _rates(where, {"a": 0, "b": 1}, [("a", "b", 0.0), ("b", "a", 0.001)], 0, 1),
    ]
