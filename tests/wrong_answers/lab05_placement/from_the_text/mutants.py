"""Wrong answers to lab05_placement that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference


# A node with exactly as many instances as cores counts as free; breaks "with more cores than instances"
@mutant("full_node", ["no_other_move_or_swap_saves_more", "a_change_comes_only_if_it_lowers_the_cost"])
def best_move(instance: str, placement: Placement, links: Links, topology: Topology) -> dict[str, int]:
    here, used = placement[instance], Counter(placement.values())
    now, best, most = cost_at(instance, here, placement, links, topology), {}, 0
    for node, cores in topology.cores.items():
        if node != here and used[node] <= len(cores) and len(cores) > 0:
            gain = now - cost_at(instance, node, placement, links, topology)
            if gain > most:
                best, most = {instance: node}, gain
    for other, there in placement.items():
        if there != here:
            gain = swap_gain(instance, other, placement, links, topology)
            if gain > most:
                best, most = {instance: there, other: here}, gain
    return best


# Swaps only with instances to which it has a link; breaks "of all moves and swaps"
@mutant("swaps_with_neighbours_only", ["no_other_move_or_swap_saves_more", "a_change_comes_only_if_it_lowers_the_cost"])
def best_move(instance: str, placement: Placement, links: Links, topology: Topology) -> dict[str, int]:
    here, used = placement[instance], Counter(placement.values())
    now, best, most = cost_at(instance, here, placement, links, topology), {}, 0
    for node, cores in topology.cores.items():
        if node != here and used[node] < len(cores):
            gain = now - cost_at(instance, node, placement, links, topology)
            if gain > most:
                best, most = {instance: node}, gain
    for other, there in placement.items():
        if there != here and other in links.of(instance):
            gain = swap_gain(instance, other, placement, links, topology)
            if gain > most:
                best, most = {instance: there, other: here}, gain
    return best


# Items that overlap are returned twice; breaks "each once"
@mutant("repeats", "ranges_include_both_ends")
def cpus(text: str) -> list[int]:
    text = text.strip()
    if not text:
        return []
    found = []
    for item in text.split(","):
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        if not all(each.isascii() and each.isdecimal() for each in ends):
            raise ValueError(f"not a number or a range: {item!r}")
        if int(ends[0]) > int(ends[-1]):
            raise ValueError(f"range falls: {item!r}")
        found.extend(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)


# A range of one core "3-3" is rejected; breaks "first <= last"
@mutant("single_range", "ranges_include_both_ends")
def cpus(text: str) -> list[int]:
    text = text.strip()
    if not text:
        return []
    found = set()
    for item in text.split(","):
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        if not all(each.isascii() and each.isdecimal() for each in ends):
            raise ValueError(f"not a number or a range: {item!r}")
        if dash and int(ends[0]) >= int(ends[-1]):
            raise ValueError(f"range falls: {item!r}")
        found.update(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)


# Ties between nodes go to the lowest number; breaks "the first of them in `topology.cores`"
@mutant("tie_by_node_number", "each_goes_where_its_links_cost_least")
def first_placement(instances: Sequence[str], links: Links, topology: Topology) -> dict[str, int]:
    placement, used, left = {}, Counter(), list(instances)
    toward = dict.fromkeys(left, 0)
    while left:
        instance = max(left, key=lambda each: toward[each])
        left.remove(instance)
        nodes = [node for node, cores in topology.cores.items() if used[node] < len(cores)]
        node = min(nodes, key=lambda each: cost_at(instance, each, placement, links, topology))
        node = min(nodes, key=lambda each: (cost_at(instance, each, placement, links, topology), each))
        placement[instance] = node
        used[node] += 1
        for other, flow in links.of(instance).items():
            if other in toward:
                toward[other] += flow.sent + flow.received
    return placement


# When nobody has traffic to those placed, the one with the most traffic at all is next; breaks "If several have the
# most, it is the first of them in `instances`"
@mutant("total_traffic_of_isolated", "next_is_the_one_with_most_traffic_to_those_placed")
def first_placement(instances: Sequence[str], links: Links, topology: Topology) -> dict[str, int]:
    placement, used, left = {}, Counter(), list(instances)
    toward = dict.fromkeys(left, 0)
    while left:
        instance = (
            left[0]
            if not placement
            else max(
                left,
                key=lambda each: (
                    toward[each],
                    sum(sum(flow) for flow in links.of(each).values()) if not toward[each] else 0,
                ),
            )
        )
        left.remove(instance)
        nodes = [node for node, cores in topology.cores.items() if used[node] < len(cores)]
        node = min(nodes, key=lambda each: cost_at(instance, each, placement, links, topology))
        placement[instance] = node
        used[node] += 1
        for other, flow in links.of(instance).items():
            if other in toward:
                toward[other] += flow.sent + flow.received
    return placement


# Adds placed instances to the given busy; breaks "The arguments stay unchanged"
@mutant(
    "busy_only_managers",
    [
        "running_instances_stay_and_only_wanted_ones_are_placed",
        "lost_instances_go_to_the_least_busy_and_then_nearest_manager",
        "without_managers_nothing_is_placed",
    ],
)
def heal(nodes, running, managers, busy, topology):
    result = {each: running[each] for each in nodes if running.get(each) in managers}
    if not managers:
        return {}
    load = busy
    for manager in managers:
        load.setdefault(manager, 0)
    for manager in result.values():
        load[manager] += 1
    for each in sorted(nodes):
        if each not in result:
            chosen = min(managers, key=lambda m: (load[m], topology.distance[managers[m]][nodes[each]], m))
            result[each] = chosen
            load[chosen] += 1
    return result


# Nearest first, then least busy; breaks "a manager with the fewest instances … If several have the fewest … nearest"
@mutant("nearest_first", "lost_instances_go_to_the_least_busy_and_then_nearest_manager")
def heal(nodes, running, managers, busy, topology):
    result = {each: running[each] for each in nodes if running.get(each) in managers}
    if not managers:
        return {}
    load = {manager: busy.get(manager, 0) for manager in managers}
    for manager in result.values():
        load[manager] += 1
    for each in sorted(nodes):
        if each not in result:
            chosen = min(managers, key=lambda m: (topology.distance[managers[m]][nodes[each]], load[m], m))
            result[each] = chosen
            load[chosen] += 1
    return result


# Column i is taken as node i where that node is online; breaks "Column i of a row of distances belongs to the i-th
# online node"
@mutant("column_is_node", "distances_have_a_column_for_each_online_node")
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


# Nodes that end up without cores are left out; breaks "a node may end up without cores"
@mutant(
    "nodes_without_cores_dropped",
    ["each_core_belongs_to_the_node_that_lists_it", "cores_that_may_not_be_used_are_left_out"],
)
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
    return Topology(
        cores, {node: {other: row[other] for other in cores} for node, row in distance.items() if node in cores}
    )
