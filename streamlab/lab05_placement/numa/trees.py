"""The files that Linux would show for a machine, as `read_topology` of Lab 5 and `lscpu --sysroot` need them.

Formats: Documentation/admin-guide/cputopology.rst and drivers/base/node.c of Linux. `distance` has a column for each
online node, with a space before each column except node 0's. A list of cores consists of ranges; a map of cores
consists of 32-bit words in hexadecimal digits.
Run `python -m streamlab.lab05_placement.numa.trees FOLDER` to regenerate datasets/topologies.
"""

import json
import sys
from collections.abc import Collection
from pathlib import Path

from streamlab.lab05_placement.numa.topology import Topology, bullion, machine

NODES = "sys/devices/system/node"


def files_of(topology: Topology) -> dict[str, str]:
    """Return path -> text for a machine whose nodes are all online, with nodes in ascending order."""
    nodes, cores = sorted(topology.cores), sorted(core for own in topology.cores.values() for core in own)
    with_cores = [node for node in nodes if topology.cores[node]]
    every = range(max(cores, default=0) + 1)
    files = {
        f"{NODES}/online": f"{core_list(nodes)}\n",
        f"{NODES}/possible": f"{core_list(nodes)}\n",
        f"{NODES}/has_cpu": f"{core_list(with_cores)}\n",
        "sys/devices/system/cpu/possible": f"{core_list(every)}\n",
        "sys/devices/system/cpu/online": f"{core_list(cores)}\n",
        "proc/cpuinfo": "".join(f"processor\t: {core}\n\n" for core in cores),
    }
    for node in nodes:
        distances = " ".join(str(topology.distance[node][other]) for other in nodes)
        files[f"{NODES}/node{node}/cpulist"] = f"{core_list(topology.cores[node])}\n"
        files[f"{NODES}/node{node}/cpumap"] = f"{core_map(topology.cores[node], len(every))}\n"
        files[f"{NODES}/node{node}/distance"] = f"{'' if nodes[0] == 0 else ' '}{distances}\n"
    return files


def core_list(cores: Collection[int]) -> str:
    """Return cores as Linux's list of ranges. Example: core_list([0, 1, 2, 8]) -> "0-2,8"."""
    ranges: list[list[int]] = []
    for core in sorted(cores):
        if ranges and core == ranges[-1][1] + 1:
            ranges[-1][1] = core
        else:
            ranges.append([core, core])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def core_map(cores: Collection[int], count: int) -> str:
    """Return cores as Linux's bit map, with the lowest cores in the last word.

    Example: core_map([0, 33], 36) -> "2,00000001"
    """
    bits = sum(1 << core for core in cores)
    digits = f"{bits:0{-(-count // 4)}x}"
    first = len(digits) % 8 or 8
    return ",".join([digits[:first], *(digits[at : at + 8] for at in range(first, len(digits), 8))])


def two_sockets() -> Topology:
    """Return two sockets with 16 cores each; the first one has the even numbers, as with some firmware."""
    return Topology({0: list(range(0, 32, 2)), 1: list(range(1, 32, 2))}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}})


def nodes_0_8_9() -> Topology:
    """Return three nodes with gaps between their numbers, as some POWER machines have."""
    return machine([[10, 21, 21], [21, 10, 12], [21, 12, 10]], [4, 4, 4], [0, 8, 9])


def main(folder: str) -> None:
    """Write the files of the synthetic machines."""
    machines = {"bullion_s16": bullion(), "nodes_0_8_9": nodes_0_8_9(), "two_sockets": two_sockets()}
    for name, topology in machines.items():
        text = json.dumps(files_of(topology), indent=1, sort_keys=True)
        Path(folder, f"{name}.json").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
