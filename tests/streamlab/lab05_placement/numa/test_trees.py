"""Machines as files: the datasets, core lists and core maps, and lscpu's reading of them."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from streamlab.lab05_placement.numa import Topology, here, recorded
from streamlab.lab05_placement.numa.topology import bullion, machine
from streamlab.lab05_placement.numa.trees import core_list, core_map, files_of, main, two_sockets

DATASETS = Path(__file__).resolve().parents[4] / "datasets" / "lab05_placement" / "topologies"


def test_the_generator_reproduces_the_machines_byte_for_byte(tmp_path: Path) -> None:
    main(str(tmp_path))

    made_files = sorted(tmp_path.iterdir())
    assert [each.name for each in made_files] == ["bullion_s16.json", "nodes_0_8_9.json", "two_sockets.json"]
    for made in made_files:
        assert made.read_bytes() == (DATASETS / made.name).read_bytes()


def test_the_page_has_the_checksum_of_each_machine() -> None:
    checksums = dict(re.findall(r"\| (\w+\.json) \| `([0-9a-f]{64})` \|", (DATASETS / "README.md").read_text("utf-8")))

    assert checksums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in DATASETS.glob("*.json")}


@pytest.mark.parametrize(
    ("cores", "text"), [([], ""), ([3], "3"), ([0, 1, 2, 8], "0-2,8"), ([5, 4, 9, 11], "4-5,9,11")]
)
def test_a_list_of_cores_has_ranges(cores: list[int], text: str) -> None:
    assert core_list(cores) == text


@pytest.mark.parametrize(
    ("cores", "count", "text"), [([0, 1], 2, "3"), ([0, 33], 36, "2,00000001"), (range(1, 32, 2), 32, "aaaaaaaa")]
)
def test_a_map_of_cores_has_words_of_32_bits(cores: list[int], count: int, text: str) -> None:
    assert core_map(cores, count) == text


def test_a_row_of_distances_starts_with_a_space_if_node_0_is_offline() -> None:
    whole = machine([[10, 21], [21, 10]], [1, 1])
    apart = Topology({2: [0], 5: [1]}, {2: {2: 10, 5: 21}, 5: {2: 21, 5: 10}})

    assert files_of(whole)["sys/devices/system/node/node1/distance"] == "21 10\n"
    assert files_of(apart)["sys/devices/system/node/node5/distance"] == " 21 10\n"


def test_an_unknown_machine_is_rejected() -> None:
    with pytest.raises(ValueError, match="bullion_s16, nodes_0_8_9, one_node, two_sockets"):
        recorded("laptop")


def test_a_system_without_numa_nodes_counts_as_one_node(tmp_path: Path) -> None:
    found = here(lambda folder, cores: pytest.fail("there is nothing to read"), tmp_path, own=[4, 2])

    assert found == Topology({0: [2, 4]}, {0: {0: 10}})


def test_the_nodes_of_a_system_are_read_with_the_allowed_cores() -> None:
    folder = recorded("one_node")

    assert here(lambda *given: given, folder, own=[1]) == (folder, [1])  # type: ignore[arg-type, return-value]


@pytest.mark.skipif(not shutil.which("lscpu"), reason="lscpu is not installed")
@pytest.mark.parametrize(("name", "topology"), [("bullion_s16", bullion()), ("two_sockets", two_sockets())])
def test_lscpu_reads_the_same_cores_on_each_node(name: str, topology: Topology) -> None:
    """lscpu reads cpumap, and Lab 5 reads cpulist."""
    command = ["lscpu", "--sysroot", str(recorded(name).parents[3])]

    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30, env={"LC_ALL": "C"}).stdout

    found = dict(re.findall(r"NUMA node(\d+) CPU\(s\): +(\S+)", text))
    assert found == {str(node): core_list(cores) for node, cores in topology.cores.items()}
    assert json.loads((DATASETS / f"{name}.json").read_text("utf-8")) == files_of(topology)
