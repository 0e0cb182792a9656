# wrong: swaps only with instances to which it has a link; breaks "of all moves and swaps"
# caught by: no_other_move_or_swap_saves_more, a_change_comes_only_if_it_lowers_the_cost
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
