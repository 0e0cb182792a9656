# wrong: nodes that end up without cores are left out; breaks "a node may end up without cores"
# caught by: each_core_belongs_to_the_node_that_lists_it, cores_that_may_not_be_used_are_left_out
def read_topology(folder: Path, allowed: Collection[int] | None = None) -> Topology:
    folder = Path(folder)
    online = cpus((folder / "online").read_text())
    cores, distance = {}, {}
    for node in online:
        own = cpus((folder / f"node{node}" / "cpulist").read_text())
        cores[node] = [core for core in own if allowed is None or core in allowed]
        path = folder / f"node{node}" / "distance"
        row = [int(each) for each in path.read_text().split()]
        if len(row) != len(online):
            raise ValueError(f"{path}: {len(row)} distances for {len(online)} nodes")
        distance[node] = dict(zip(online, row))
        if distance[node][node] != 10:
            raise ValueError(f"{path}: local distance is {distance[node][node]}")
    cores = {node: own for node, own in cores.items() if own}
    return Topology(cores, {node: {other: row[other] for other in cores} for node, row in distance.items() if node in cores})
