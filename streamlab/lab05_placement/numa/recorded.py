"""Topologies as trees of files, as Linux shows them under /sys: recorded, synthetic, and this machine's own."""

import json
import os
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from streamlab.lab05_placement.numa.topology import Topology

NODE_FOLDER = Path("/sys/devices/system/node")
FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "lab05_placement" / "topologies"
_WRITTEN: dict[str, tempfile.TemporaryDirectory[str]] = {}


def recorded(name: str) -> Path:
    """Write the files of a recorded machine ("bullion_s16", "two_sockets" or "one_node"); return its folder of nodes.

    The folder is like /sys/devices/system/node: `online`, and for each node `nodeN/cpulist`, `nodeN/distance` and more.
    Raises ValueError for any other name.
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
    read_topology: Callable[[Path, Collection[int]], Topology], folder: Path = NODE_FOLDER, own: Collection[int] = ()
) -> Topology:
    """Return the topology of this machine with the cores that this process may use, read by `read_topology`.

    If Linux shows no nodes (in a sandbox without /sys, or on another system), the machine counts as one node.
    """
    cores = sorted(own) or _own_cores()
    if not (folder / "online").exists():
        return Topology({0: cores}, {0: {0: 10}})
    return read_topology(folder, cores)


def _own_cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
