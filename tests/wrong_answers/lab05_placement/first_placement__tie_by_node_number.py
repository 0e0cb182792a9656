# wrong: ties between nodes go to the lowest number; breaks "the first of them in `topology.cores`"
# caught by: each_goes_where_its_links_cost_least
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
