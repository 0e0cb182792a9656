"""Seeded cases of `first_placement`, `best_move` and `place`, smallest first."""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.checks.two_sandboxes import in_two_sandboxes
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
NEAR_LAST = [[10, 40, 15], [40, 10, 40], [15, 40, 10]]
FAR = [[10, 40, 40], [40, 10, 40], [40, 40, 10]]
BETWEEN = [[10, 40, 15, 40], [40, 10, 15, 40], [15, 15, 10, 15], [40, 40, 15, 10]]
APART = machine(UNEVEN, [4, 3, 3], [0, 8, 9])

# first_placement


def orders(seed: str) -> list[Case]:
    """Return problems in which the order matters: senders and receivers, equals, little traffic or none."""
    rng = random_for(seed, "orders")
    two_each = machine(SOCKETS, [2, 2])
    traffic = {("a", "b"): 5, ("d", "a"): 100, ("b", "c"): 50}
    return [
        problem(list("abc"), {("a", "b"): 1, ("c", "a"): 5}, two_each),
        problem(list("abcd"), {("a", "c"): 0.5, ("a", "d"): 0.25}, two_each),
        problem(list("abcd"), traffic, two_each),
        problem(list("dcba"), {("a", "b"): 7, ("c", "d"): 7}, two_each),
        problem(list("abcde"), {("a", "e"): 3, ("e", "c"): 2, ("c", "a"): 2, ("b", "a"): 4}, machine(SOCKETS, [3, 2])),
        problem(list("abcde"), {("a", "b"): 1, ("d", "e"): 9, ("c", "d"): 1}, machine(UNEVEN, [2, 2, 1])),
        problem(["a"], {}, TWO),
        problem([], {}, TWO),
        *(tangled(rng, 10, where) for where in (THREE, machine(HOPS, [3, 3, 2, 2]), APART)),
        *(of_queries(rng, 12, machine(PAIRS, [4, 3, 3, 3])) for _ in range(2)),
    ]


def nodes(seed: str) -> list[Case]:
    """Return problems whose order is the given one: full nodes, nodes without cores, equals, little traffic."""
    rng = random_for(seed, "nodes")
    return [
        problem(list("abc"), {("a", "b"): 9, ("a", "c"): 1}, machine(SOCKETS, [2, 2])),
        problem(list("ab"), {("a", "b"): 9}, machine(SOCKETS, [0, 2])),
        problem(list("ab"), {("a", "b"): 0.00001}, machine(NEAR_LAST, [1, 1, 1])),
        problem(list("abc"), {}, machine(SOCKETS, [1, 2])),
        problem(list("ab"), {("a", "b"): 5}, machine(SOCKETS, [2, 2], [3, 1])),
        *(_in_order(rng, where) for where in (THREE, APART, machine(HOPS, [2, 3, 3, 2]), machine(UNEVEN, [2, 0, 8]))),
    ]


def _in_order(rng: random.Random, where: Machine) -> Case:
    """Return ten instances, each of which has more traffic to all those before it than any later one has."""
    names, traffic = [f"i{number}" for number in range(10)], dict[tuple[str, str], int]()
    for at, first in enumerate(names):
        times = rng.randint(1, 9)
        for number, other in enumerate(names[at + 1 :], at + 1):
            traffic[rng.choice([(first, other), (other, first)])] = times * (10 - number)
    return problem(names, traffic, where)


# best_move


def moves(seed: str) -> list[Case]:
    """Return placements, good and bad, on full machines and on machines with free cores; each instance is asked for.

    Some changes save little, of all or of the cost of the instance. One goes to an empty node between two others.
    """
    rng = random_for(seed, "moves")
    pair = {("a", "b"): 9}
    full = {("a", "d"): 100, ("b", "c"): 50, ("c", "d"): 1}
    return [
        _placed(problem(list("abc"), pair, machine(SOCKETS, [2, 2])), [0, 1, 0]),
        _placed(problem(list("ab"), {("a", "b"): 0.00005}, machine(SOCKETS, [2, 2])), [0, 1]),
        _placed(problem(list("abc"), {("a", "c"): 1, ("b", "c"): 1}, machine(BETWEEN, [1, 1, 1, 1])), [0, 1, 3]),
        _placed(problem(list("abc"), {("a", "c"): 10_000, ("a", "b"): 1}, machine(FAR, [1, 2, 1])), [0, 1, 2]),
        _placed(problem(list("abcd"), full, machine(SOCKETS, [2, 2])), [0, 0, 1, 1]),
        _placed(problem(list("abc"), pair, machine(SOCKETS, [2, 1])), [0, 1, 0]),
        _placed(problem(list("abc"), pair, machine(SOCKETS, [3, 0])), [0, 0, 0]),
        _placed(problem(list("ab"), {("a", "b"): 1}, machine([[10, 11], [11, 10]], [2, 1])), [0, 1]),
        _placed(problem(list("abc"), {("b", "a"): 3, ("b", "c"): 2}, APART), [0, 8, 9]),
        _placed(problem(["a"], {}, TWO), [1]),
        *(_drawn(rng, tangled(rng, 10 - rng.choice([0, 1]), where)) for where in (THREE, APART, THREE)),
        *(_drawn(rng, of_queries(rng, 9, machine(PAIRS, [3, 3, 2, 2]))) for _ in range(2)),
    ]


def _placed(made: Case, at: list[int]) -> Case:
    return {**made, "placement": dict(zip(made["instances"], at, strict=True))}


def _drawn(rng: random.Random, made: Case) -> Case:
    where = made["machine"]
    slots = [node for node, cores in zip(where["nodes"], where["cores"], strict=True) for _ in range(cores)]
    return _placed(made, rng.sample(slots, len(made["instances"])))


# place


def together(seed: str) -> list[Case]:
    """Return problems in which all instances fit on one node, or all but one.

    Some have a node without cores, use all cores, or have one instance or none.
    """
    rng = random_for(seed, "together")
    pair = problem(["a", "b"], {("a", "b"): 100}, TWO)
    star = {("a", name): 10 for name in "bcdefg"}
    chain = {("a", "b"): 5, ("a", "d"): 2, ("c", "d"): 9}  # moves and swaps alone get stuck
    return [
        pair,
        problem(["a", "b"], {("a", "b"): 100}, machine(SOCKETS, [1, 3])),
        problem(list("abcdef"), {("a", name): 10 for name in "bcdef"}, machine(SOCKETS, [3, 3])),
        *({**problem(list("abcd"), chain, machine(UNEVEN, [1, 2, most])), "starts": 1} for most in (4, 5)),
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
    to_free = problem(["a", "b", "c"], {("a", "b"): 9, ("b", "c"): 9}, machine(SOCKETS, [1, 3]))
    made = [pair]
    for where in (machine(PAIRS, [6, 6, 5, 5]), machine(UNEVEN, [8, 8, 8])):
        cores = sum(where["cores"])
        made += [of_queries(rng, cores - 3, where), tangled(rng, cores, where), tangled(rng, cores - 3, where)]
    one_start = [{**each, "starts": 1} for each in (made[2], made[4])]
    return [*made, *one_start, to_free]


def small_ones(seed: str) -> list[Case]:
    """Return 24 problems of at most ten instances."""
    return [{"problems": small(random_for(seed, "small ones"), 24)}]


def large_ones(seed: str) -> list[Case]:
    """Return two problems of 70 instances on 12 nodes with 6 cores each."""
    rng = random_for(seed, "large ones")
    return [{"problems": [of_queries(rng, 70, bullion(12, 6), degrees=(2, 6)) for _ in range(2)], "starts": 2}]


def modelled(seed: str) -> list[Case]:
    """Return 16 problems of 28 instances on 8 nodes with 4 cores each; the traffic is in tuples per source event.

    The rates are below 1, and their sums are exact, so that rounding makes no step look helpful.
    """
    rng = random_for(seed, "modelled")
    made = [of_queries(rng, 28, bullion(8, 4)) for _ in range(16)]
    for each in made:
        each["traffic"] = [[sender, receiver, (amount >> 13) / 1024] for sender, receiver, amount in each["traffic"]]
    return [{"problems": made, "starts": 2}]


def repeated(seed: str) -> list[Case]:
    """Return two problems with many placements of nearly the same cost, placed again here and in another sandbox.

    About one in six of the smaller ones has a best placement that nearly all starts lead to.
    """
    rng = random_for(seed, "repeated")
    made = tangled(rng, 34, bullion(12, 3), density=0.22), tangled(rng, 44, bullion(12, 4), density=0.22)
    return [in_two_sandboxes({**each, "again": True}) for each in made]


def too_many(seed: str) -> list[Case]:
    """Return problems with more instances than cores, as many as cores, and no core at all.

    In the one with five cores, the parts with the least traffic between them are not on the best nodes.
    """
    rng = random_for(seed, "too many")
    full, names = machine(SOCKETS, [2, 1]), ["a", "b", "c", "d", *(f"i{number}" for number in range(9))]
    chain = {("a", "b"): 9, ("b", "c"): 1}
    return [
        problem(names[:3], chain, full),
        problem(names[:4], chain, full),
        problem(list("abcde"), {("a", "c"): 8, ("c", "d"): 3}, machine(UNEVEN, [2, 2, 1])),
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
    return [{"rows": rows, "instances": instances, "receivers": receivers, "machine": machine(PAIRS, [4, 4, 3, 3])}]
