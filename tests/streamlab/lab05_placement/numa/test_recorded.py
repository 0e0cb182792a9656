"""The topology of this machine: emulated nodes count as one, and real ones stay as they are."""

from pathlib import Path

import pytest

from streamlab.lab05_placement.numa import Topology, here
from streamlab.lab05_placement.numa.recorded import write_files
from tests.autograder.stages.driven_reference import reference

FAKE_PI = [("0-3", "10 10 10")] * 3
VIRTUAL = [("0-1", "10 10"), ("2-3", "10 10")]
FAKE_SOCKETS = [("0-1", "10 10 21 21"), ("0-1", "10 10 21 21"), ("2-3", "21 21 10 10"), ("2-3", "21 21 10 10")]
WITH_CXL = [("0-1", "10 21 14"), ("2-3", "21 10 24"), ("", "14 24 10")]
UNREACHABLE = [("0", "10 255"), ("1", "255 10")]


def folder_of(tmp_path: Path, nodes: list[tuple[str, str]], online: str = "") -> Path:
    files = {"online": online or f"0-{len(nodes) - 1}"}
    for node, (cores, row) in enumerate(nodes):
        files |= {f"node{node}/cpulist": f"{cores}\n", f"node{node}/distance": f"{row}\n"}
    write_files(files, tmp_path)
    return tmp_path


def topology_of(folder: Path) -> tuple[Topology, list[str]]:
    said: list[str] = []
    return here(reference("lab05_placement").read_topology, folder, range(8), said.append), said


@pytest.mark.parametrize(
    ("nodes", "cores", "distances"),
    [
        (FAKE_PI, {0: [0, 1, 2, 3]}, {0: {0: 10}}),
        (VIRTUAL, {0: [0, 1, 2, 3]}, {0: {0: 10}}),
        (FAKE_SOCKETS, {0: [0, 1], 2: [2, 3]}, {0: {0: 10, 2: 21}, 2: {0: 21, 2: 10}}),
    ],
    ids=["eight of a Pi", "virtual machine", "two in each socket"],
)
def test_emulated_nodes_count_as_one(
    nodes: list[tuple[str, str]], cores: dict[int, list[int]], distances: dict[int, dict[int, int]], tmp_path: Path
) -> None:
    topology, said = topology_of(folder_of(tmp_path, nodes))

    assert topology == Topology(cores, distances)
    assert {each.partition(": ")[2] for each in said} == {"their memory is equally near. They count as one."}
    assert [each[:14] for each in said] == [f"The nodes {node}, {node + 1}" for node in cores]


@pytest.mark.parametrize("nodes", [WITH_CXL, UNREACHABLE], ids=["memory only", "unreachable"])
def test_real_nodes_stay(nodes: list[tuple[str, str]], tmp_path: Path) -> None:
    topology, said = topology_of(folder_of(tmp_path, nodes))

    assert (list(topology.cores), said) == (list(range(len(nodes))), [])
    assert [" ".join(map(str, row.values())) for row in topology.distance.values()] == [row for _, row in nodes]


@pytest.mark.parametrize(
    ("nodes", "online"), [([("0", "10 10")], "0"), ([("0", "ten")], "0"), (VIRTUAL, "0-2"), (VIRTUAL, "a")]
)
def test_damaged_files_reach_the_task(nodes: list[tuple[str, str]], online: str, tmp_path: Path) -> None:
    with pytest.raises((OSError, ValueError), match=r"/|expected|invalid"):
        topology_of(folder_of(tmp_path, nodes, online))
