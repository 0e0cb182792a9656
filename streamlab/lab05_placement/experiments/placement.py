"""Experiments of Lab 5 on placement: the cost of spreading, the paper's model, a query of Lab 4, copies of memory."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from streamlab.lab04_subqueries.engine import Message, Query
from streamlab.lab04_subqueries.engine.simulation import Channel, Simulation
from streamlab.lab05_placement.numa import (
    PAPER,
    Topology,
    least_loaded,
    mean_distance,
    memory_share,
    query_traffic,
    round_robin,
)
from streamlab.lab05_placement.numa.metis import metis

CORES_EACH = 6
COPY = "import time; a = bytearray(1 << 28); b = bytes(a); t = time.perf_counter(); a[:] = b"
COPY += "; print(time.perf_counter() - t)"


def spread_costs(place: Any, cost: Any, whole: Topology, nodes: Sequence[int]) -> dict[str, list[tuple[int, float]]]:
    """Return for each way of placing (nodes, cost relative to all-local traffic), with six cores of each node."""
    found: dict[str, list[tuple[int, float]]] = {"place": [], "METIS": [], "least loaded": [], "round robin": []}
    for many in nodes:
        cores = {node: own[:CORES_EACH] if node < many else [] for node, own in whole.cores.items()}
        machine = whole._replace(cores=cores)
        instances, traffic = query_traffic("spread", many * CORES_EACH)
        placements = (
            place(instances, traffic, machine, starts=2),
            metis(instances, traffic, machine),
            least_loaded(instances, machine),
            round_robin(instances, machine),
        )
        local = 10 * sum(traffic.values())
        for points, placement in zip(found.values(), placements, strict=True):
            points.append((many, cost(placement, traffic, machine) / local))
    return found


def modelled_gains(widths: Sequence[int]) -> tuple[float, list[tuple[int, float, float]]]:
    """Return the share of memory and, for each width in nodes, its mean distance and the gain of locality in percent.

    The share is calibrated on the paper's baseline at 4 and 8 nodes; its NUMA-aware runs are not used.
    """
    points = [(mean_distance(nodes), PAPER[nodes].unaware / nodes) for nodes in (4, 8)]
    share = memory_share(points[0], points[1])
    gains = [(width, mean_distance(width), 100 * share * (mean_distance(width) / 10 - 1)) for width in widths]
    return share, gains


class MeasuredSimulation(Simulation):
    """A simulated query of Lab 4 that counts the bytes of rows from each instance to each other instance."""

    def __init__(self, parts: Any, query: Query, degrees: Sequence[int], seed: object = 0) -> None:
        super().__init__(parts, query, degrees, seed)
        self.sent_bytes = Counter[Channel]()

    def _deliver(self, channel: Channel) -> None:
        message: Message = self._channels[channel][0]
        self.sent_bytes[channel] += sum(len(json.dumps(arrival.row)) for arrival in message.arrivals)
        super()._deliver(channel)


def query_bytes(
    parts: Any, query: Query, degrees: Sequence[int], inputs: Mapping[str, Any]
) -> tuple[list[str], dict[tuple[str, str], int]]:
    """Return the instances of a query of Lab 4, and the bytes between them, without the bytes of the sources."""
    simulation = MeasuredSimulation(parts, query, degrees)
    simulation.run(inputs)
    instances = sorted({receiver for _, receiver in simulation.sent_bytes})
    traffic = {pair: sent for pair, sent in sorted(simulation.sent_bytes.items()) if pair[0] in instances and sent}
    return instances, traffic


def copy_seconds(topology: Topology) -> dict[str, float] | str:
    """Return the seconds of a copy of 256 MiB from local, remote and interleaved memory, or why none was measured."""
    with_cores = [node for node, cores in topology.cores.items() if cores]
    if len(with_cores) < 2:
        return "this machine shows one node, so all its memory is equally near"
    if not shutil.which("numactl"):
        return "numactl is not installed"
    near, far = with_cores[0], max(with_cores, key=lambda node: topology.distance[with_cores[0]][node])
    policies = {"local": f"--membind={near}", "remote": f"--membind={far}", "interleaved": "--interleave=all"}
    try:
        return {name: _copied(near, policy) for name, policy in policies.items()}
    except subprocess.CalledProcessError as problem:  # for example in a container
        return f"numactl failed: {problem.stderr.strip().partition(chr(10))[0]}"


def _copied(node: int, policy: str) -> float:
    command = ["numactl", f"--cpunodebind={node}", policy, sys.executable, "-c", COPY]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout for _ in range(3)]
    return min(map(float, runs))
