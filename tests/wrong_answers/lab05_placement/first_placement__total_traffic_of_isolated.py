# wrong: when nobody has traffic to those placed, the one with the most traffic at all is next; breaks "If several have the most, it is the first of them in `instances`"
# caught by: next_is_the_one_with_most_traffic_to_those_placed
def first_placement(instances: Sequence[str], links: Links, topology: Topology) -> dict[str, int]:
    placement, used, left = {}, Counter(), list(instances)
    toward = dict.fromkeys(left, 0)
    while left:
        instance = left[0] if not placement else max(left, key=lambda each: (toward[each], sum(sum(flow) for flow in links.of(each).values()) if not toward[each] else 0))
        left.remove(instance)
        nodes = [node for node, cores in topology.cores.items() if used[node] < len(cores)]
        node = min(nodes, key=lambda each: cost_at(instance, each, placement, links, topology))
        placement[instance] = node
        used[node] += 1
        for other, flow in links.of(instance).items():
            if other in toward:
                toward[other] += flow.sent + flow.received
    return placement
