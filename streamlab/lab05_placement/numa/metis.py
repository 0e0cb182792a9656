"""A placement by METIS, a widely used graph partitioner, for comparison with Lab 5's `place`.

METIS does not know distances: it cuts the graph of traffic into one part for each node. Afterwards, instances move out
of parts that are too large, and whole parts swap nodes as long as that lowers the cost.
Source: G. Karypis, V. Kumar, A Fast and High Quality Multilevel Scheme for Partitioning Irregular Graphs, 1998.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from streamlab.lab05_placement.numa.topology import Topology, Traffic

LARGEST_WEIGHT = 10_000  # weights are whole numbers of 32 bits, and METIS adds them up


def metis(instances: Sequence[str], traffic: Traffic, topology: Topology) -> dict[str, int]:
    """Return a node for each instance, at most one instance per core."""
    nodes = [node for node, cores in topology.cores.items() if cores]
    if len(nodes) == 1:
        return dict.fromkeys(instances, nodes[0])
    parts = _parts(instances, traffic, [len(topology.cores[node]) for node in nodes])
    placement = {instance: nodes[part] for instance, part in zip(instances, parts, strict=True)}
    _make_room(placement, traffic, topology, nodes)
    _swap_nodes(placement, traffic, topology, nodes)
    return placement


def _parts(instances: Sequence[str], traffic: Traffic, sizes: Sequence[int]) -> list[int]:
    import pymetis

    starts, adjacent, weights = [0], list[int](), list[int]()
    for row in _graph(instances, traffic):
        adjacent += row.keys()
        weights += row.values()
        starts.append(len(adjacent))
    _, parts = pymetis.part_graph(
        len(sizes),
        adjacency=pymetis.CSRAdjacency(adj_starts=starts, adjacent=adjacent),
        eweights=weights,
        tpwgts=[size / sum(sizes) for size in sizes],
        options=pymetis.Options(seed=0, ufactor=1, ncuts=5, niter=50),
    )
    return list(parts)


def _graph(instances: Sequence[str], traffic: Traffic) -> list[dict[int, int]]:
    """Return for each instance its neighbours, with the summed weights of both directions."""
    number = {instance: at for at, instance in enumerate(instances)}
    both = Counter[tuple[int, int]]()
    for (sender, receiver), bytes_per_s in traffic.items():
        both[number[sender], number[receiver]] += bytes_per_s  # type: ignore[assignment]
        both[number[receiver], number[sender]] += bytes_per_s  # type: ignore[assignment]
    most = max(both.values(), default=1) or 1
    rows: list[dict[int, int]] = [{} for _ in instances]
    for (a, b), weight in sorted(both.items()):
        rows[a][b] = max(1, round(LARGEST_WEIGHT * weight / most))
    return rows


def _cost(placement: dict[str, int], traffic: Traffic, topology: Topology) -> float:
    return sum(x * topology.distance[placement[b]][placement[a]] for (a, b), x in traffic.items())


def _make_room(placement: dict[str, int], traffic: Traffic, topology: Topology, nodes: list[int]) -> None:
    room = {node: len(topology.cores[node]) - list(placement.values()).count(node) for node in nodes}
    while full := [node for node in nodes if room[node] < 0]:
        moves = [(each, to) for each, at in placement.items() if at == full[0] for to in nodes if room[to] > 0]
        each, to = min(moves, key=lambda move: _cost({**placement, move[0]: move[1]}, traffic, topology))
        room[placement[each]] += 1
        room[to] -= 1
        placement[each] = to


def _swap_nodes(placement: dict[str, int], traffic: Traffic, topology: Topology, nodes: list[int]) -> None:
    now, better = _cost(placement, traffic, topology), True
    while better:
        better = False
        for a, b in combinations(nodes, 2):
            if len(topology.cores[a]) != len(topology.cores[b]):
                continue
            other = {a: b, b: a}
            swapped = {each: other.get(node, node) for each, node in placement.items()}
            if (cost := _cost(swapped, traffic, topology)) < now:
                placement.update(swapped)
                now, better = cost, True
