# wrong: column i is taken as node i where that node is online; breaks "Column i of a row of distances belongs to the i-th online node"
# caught by: distances_have_a_column_for_each_online_node
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
        distance[node] = {other: row[other] if other < len(row) else row[online.index(other)] for other in online}
        if distance[node][node] != 10:
            raise ValueError(f"{path}: local distance is {distance[node][node]}")
    return Topology(cores, distance)
