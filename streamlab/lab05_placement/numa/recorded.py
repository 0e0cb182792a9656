"""Topologies as trees of files, as Linux shows them under /sys: recorded, synthetic, and this machine's own."""

import json
import os
import re
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from streamlab.lab05_placement.numa.topology import Topology
from streamlab.progress import OnProgress

NODE_FOLDER = Path("/sys/devices/system/node")
FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "lab05_placement" / "topologies"
_WRITTEN: dict[str, tempfile.TemporaryDirectory[str]] = {}


def recorded(name: str) -> Path:
    """Write the files of a recorded machine ("bullion_s16", "nodes_0_8_9", "two_sockets" or "one_node").

    Return the folder of its nodes, which is like /sys/devices/system/node: `online`, and for each node `nodeN/cpulist`,
    `nodeN/distance` and more. Raises ValueError for any other name.
    """
    known = sorted(path.stem for path in FOLDER.glob("*.json"))
    if name not in known:
        raise ValueError(f"expected one of {', '.join(known)}, got {name!r}")
    if name not in _WRITTEN:
        _WRITTEN[name] = tempfile.TemporaryDirectory(prefix="streamlab-")
        write_files(json.loads((FOLDER / f"{name}.json").read_text("utf-8")), Path(_WRITTEN[name].name))
    return Path(_WRITTEN[name].name, *NODE_FOLDER.parts[1:])


def write_files(files: dict[str, str], folder: Path) -> None:
    """Write each text to its path below `folder`."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def here(
    read_topology: Callable[[Path, Collection[int]], Topology],
    folder: Path = NODE_FOLDER,
    own: Collection[int] = (),
    on_progress: OnProgress = print,
) -> Topology:
    """Return the topology of this machine with the cores that this process may use, read by `read_topology`.

    If Linux shows no nodes (in a sandbox without /sys, or on another system), the machine counts as one node. Nodes
    with distance 10 to each other, which Linux or a virtual machine emulates, also count as one.
    """
    cores = sorted(own) or _own_cores()
    if not (folder / "online").exists():
        return Topology({0: cores}, {0: {0: 10}})
    try:
        same = _same_memory(folder)
    except (OSError, ValueError):
        same = {}  # the files are damaged, which `read_topology` reports
    if all(node == first for node, first in same.items()):
        return read_topology(folder, cores)
    for first in dict.fromkeys(same.values()):
        if len(group := [str(node) for node in same if same[node] == first]) > 1:
            on_progress(f"The nodes {', '.join(group)} are emulated: their memory is equally near. They count as one.")
    with tempfile.TemporaryDirectory(prefix="streamlab-") as merged:
        write_files(_merged(folder, same), Path(merged))
        return read_topology(Path(merged), cores)


def _same_memory(folder: Path) -> dict[int, int]:
    """Return for each online node the first node at distance 10: itself, unless nodes are emulated."""
    ranges = re.findall(r"(\d+)(?:-(\d+))?", (folder / "online").read_text("ascii"))
    nodes = [node for first, last in ranges for node in range(int(first), int(last or first) + 1)]
    rows = {node: (folder / f"node{node}" / "distance").read_text("ascii").split() for node in nodes}
    if any(len(row) != len(nodes) for row in rows.values()):
        raise ValueError(f"the rows of distances in {folder} differ in length from its list of nodes")
    same: dict[int, int] = {}
    for node, row in rows.items():
        same[node] = same.get(nodes[row.index("10")], node)
    return same


def _merged(folder: Path, same: dict[int, int]) -> dict[str, str]:
    """Return the files of a machine whose emulated nodes are one node, which has the number of the first of them."""
    files = {"online": ",".join(str(node) for node in same if same[node] == node)}
    columns = [at for at, node in enumerate(same) if same[node] == node]
    for node in set(same.values()):
        lists = {(folder / f"node{each}" / "cpulist").read_text("ascii").strip() for each in same if same[each] == node}
        row = (folder / f"node{node}" / "distance").read_text("ascii").split()
        files[f"node{node}/cpulist"] = ",".join(sorted(filter(None, lists)))
        files[f"node{node}/distance"] = " ".join(row[at] for at in columns)
    return files


def _own_cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
