"""Seeded cases of `cpus` and `read_topology`, smallest first. The files of a case lie in the folder of nodes."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab05_placement.numa.topology import Topology, bullion, machine
from streamlab.lab05_placement.numa.trees import NODES, core_list, files_of, two_sockets

UNEVEN = [[10, 20, 30], [25, 10, 20], [40, 25, 10]]  # no real machine; shows whether rows and columns are confused

# cpus


def lists(seed: str) -> list[Case]:
    """Return lists with ranges, single numbers, a range of one, repeated numbers, white space, and empty ones."""
    rng = random_for(seed, "lists")
    texts = [
        "0-2\n",
        "0-2,8,10-11\n",
        "",
        "\n",
        "7",
        "0",
        "5-5",
        " 1,3-4 \n",
        "3,1,2",
        "0-3,2-5,4",
        "9-11",
        "0,0-1,1",
        " \n",
        "\t1\t",
    ]
    drawn = [core_list(rng.sample(range(300), rng.randint(1, 60))) + "\n" for _ in range(8)]
    return [{"text": text} for text in [*texts, *drawn]]


def not_lists(seed: str) -> list[Case]:
    """Return texts that Linux does not print, and some valid lists."""
    high = random_for(seed, "not lists").randint(20, 900)
    valid = ["0,4\n", "", f"{high}\n", "3,5"]
    wrong = ["2-1", "1,,2", "0-", "-1", "-", "1-2-3", "0-3:1/2", "a", ",", "1,", ",1", "1, 2", "1 2", "1_0", "+1"]
    more = [
        "0x1",
        "1.0",
        "1--2",
        "0 - 2",
        "\u0663",
        "\u00b2",
        f"{high}-{high - 1}",
        "0-2;4",
        "1\n2",
        "1\n,2",
        "0-\u0663",
        "19-2",
        "all",
    ]
    return [{"text": text} for text in [*valid[:2], wrong[0], *valid[2:], *wrong[1:], *more]]


# read_topology


def trees(seed: str) -> list[Case]:
    """Return interleaved and consecutive cores, a node without cores, a single node, and core numbers with gaps."""
    rng = random_for(seed, "trees")
    dealt = machine([[10, 21], [21, 10]], [2, 2])._replace(cores={0: [0, 2], 1: [1, 3]})
    memory_only = machine([[10, 17], [17, 10]], [3, 0])
    many = [_drawn(rng, 4) for _ in range(2)]
    return [_tree(each) for each in (dealt, memory_only, machine([[10]], [2]), two_sockets(), bullion(), *many)]


def gaps(seed: str) -> list[Case]:
    """Return asymmetric distances, and node numbers with gaps: 0, 8 and 9, without 0, and random ones."""
    rng = random_for(seed, "gaps")
    square = machine(UNEVEN, [2, 2, 2])
    apart, without_0 = _renumbered(square, [0, 8, 9]), _renumbered(square, [1, 2, 5])
    drawn = [_renumbered(_drawn(rng, 3), sorted(rng.sample(range(12), 3))) for _ in range(3)]
    return [_tree(each) for each in (machine([[10, 12], [21, 10]], [1, 1]), square, apart, without_0, *drawn)]


def allowed(seed: str) -> list[Case]:
    """Return allowed cores: some of each node, those of one node, unknown ones, and none at all."""
    rng = random_for(seed, "allowed")
    small, large = machine([[10, 21], [21, 10]], [4, 4]), two_sockets()
    some = [[0, 1, 5], [2, 3], [0, 99], [], list(range(8))]
    in_order = _tree(machine([[10]], [9]), [1, 8])  # a set of 1 and 8 gives 8 first
    return [*(_tree(small, each) for each in some), in_order, _tree(large, rng.sample(range(32), 9))]


def damaged(seed: str) -> list[Case]:
    """Return two sockets, whole and with one change each. The error must name one of the files in `at_fault`."""
    cores = random_for(seed, "damaged").randint(2, 9)
    whole = _tree(machine([[10, 21], [21, 10]], [cores, cores]))
    changes: list[tuple[dict[str, str | None], list[str]]] = [
        ({"node1/distance": "10 21 21\n"}, []),
        ({"node1/distance": "21\n"}, []),
        ({"node0/distance": "10 21 21\n"}, []),
        ({"node0/distance": "\n"}, []),
        ({"node1/distance": "21 11\n"}, []),
        ({"node1/distance": "21 9\n"}, []),
        ({"node1/distance": "21 0\n"}, []),
        ({"node1/distance": "21 100\n"}, []),
        ({"node0/distance": "10 21\n21 10\n"}, []),
        ({"node0/distance": "21 10\n"}, []),
        ({"node1/distance": "21 x\n"}, []),
        ({"node0/distance": "10 x\n"}, []),
        ({"node0/distance": "10 2.1\n"}, []),
        ({"online": "0\n"}, ["node0/distance"]),
    ]
    wrong = [_changed(whole, change, [*change, *others]) for change, others in changes]
    smaller = _tree(machine([[10, 11], [255, 10]], [1, 1]))
    return [whole, *wrong, smaller]


def _changed(whole: Case, change: dict[str, str | None], at_fault: list[str]) -> Case:
    files = {path: change.get(path, text) for path, text in whole["files"].items()}
    return {**whole, "files": {path: text for path, text in files.items() if text is not None}, "at_fault": at_fault}


def _tree(topology: Topology, allowed: list[int] | None = None) -> Case:
    every = {path.removeprefix(f"{NODES}/"): text for path, text in files_of(topology).items() if NODES in path}
    files = {path: text for path, text in every.items() if path.endswith(("online", "cpulist", "distance"))}
    return {"files": files, "allowed": allowed}


def _renumbered(topology: Topology, names: list[int]) -> Topology:
    to = dict(zip(topology.cores, names, strict=True))
    rows = {to[a]: {to[b]: far for b, far in row.items()} for a, row in topology.distance.items()}
    return Topology({to[node]: cores for node, cores in topology.cores.items()}, rows)


def _drawn(rng: random.Random, nodes: int) -> Topology:
    rows: list[list[Any]] = [[10 if a == b else rng.randint(11, 60) for b in range(nodes)] for a in range(nodes)]
    numbers = rng.sample(range(40), 5 * nodes)
    made = machine(rows, [5] * nodes)
    return made._replace(cores={node: sorted(numbers[5 * node : 5 * node + 5]) for node in range(nodes)})
