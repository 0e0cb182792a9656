"""Wrong versions of cost, swap_gain and throughput, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, survivor

PAID = "reading_costs_the_distance_from_reader_to_memory"
STAYS = "what_stays_on_its_node_costs_the_local_distance"
WITHOUT_NODE = "an_instance_without_a_node_raises_value_error"
GAIN = "the_gain_is_the_difference_of_two_costs"
BETWEEN = "a_link_between_the_two_counts_once"
LINKS = "only_the_links_of_the_two_are_read"
BUSIEST = "the_busiest_instance_bounds_the_rate"
WEIGHS = "distance_weighs_memory_and_not_computing"
UNPLACED = "an_unplaced_sender_writes_where_it_is_read"
NOBODY = "rates_that_keep_nobody_busy_raise_value_error"

# cost

mutant(
    "from_memory_to_reader",
    [PAID, STAYS, WITHOUT_NODE],
    ("topology.distance[placement[b]][placement[a]]", "topology.distance[placement[a]][placement[b]]"),
    of="cost",
)
mutant(
    "staying_is_free",
    STAYS,
    (
        "topology.distance[placement[b]][placement[a]]",
        "(placement[a] != placement[b]) * topology.distance[placement[b]][placement[a]]",
    ),
    of="cost",
)
mutant(
    "left_out",
    WITHOUT_NODE,
    ("raise ValueError(", "traffic = {pair: x for pair, x in traffic.items() if instance not in pair}\n        str("),
    of="cost",
)

# swap_gain

mutant(
    "sent_only",
    [GAIN, BETWEEN, LINKS],
    ("                gain += flow.received * (distance[here][peer_node] - distance[there][peer_node])\n", ""),
    of="swap_gain",
)
mutant("other_stands_still", BETWEEN, ("if peer == other:", "if peer is None:"), of="swap_gain")


# Computes two whole costs, from the links of all instances.
@mutant("two_whole_costs", [LINKS])
def swap_gain(a, b, placement, links, topology):
    def whole(at):
        far = topology.distance
        return sum(flow.received * far[at[each]][at[peer]] for each in at for peer, flow in links.of(each).items())

    return whole(placement) - whole({**placement, a: placement[b], b: placement[a]})


# throughput

mutant(
    "mean_instance",
    [BUSIEST, WEIGHS, UNPLACED, NOBODY],
    ("return 1e6 / max(busy_us.values())", "return 1e6 / (sum(busy_us.values()) / len(placement))"),
    of="throughput",
)
mutant(
    "weighs_computing_too",
    [WEIGHS, BUSIEST, UNPLACED, NOBODY],
    ("(cpu_us + memory_us * distance / 10)", "(cpu_us + memory_us) * distance / 10"),
    of="throughput",
)
mutant(
    "source_writes_for_free",
    UNPLACED,
    ("memory_us * distance / 10", "memory_us * distance / 10 * (sender in placement)"),
    of="throughput",
)
mutant(
    "nobody_is_infinitely_fast",
    NOBODY,
    (
        "if max(busy_us.values(), default=0) <= 0:\n        raise ValueError(",
        "if max(busy_us.values(), default=0) <= 0:\n        return float('inf')\n        raise ValueError(",
    ),
    of="throughput",
)

survivor(
    "throughput",
    "if max(busy_us.values(), default=0) <= 0:",
    "if max(busy_us.values(), default= 1) <= 0:",
    reason="equivalent: the next max of nothing raises ValueError, too",
)
survivor(
    "throughput",
    "if max(busy_us.values(), default=0) <= 0:",
    "if max(busy_us.values(), default= -1) <= 0:",
    reason="equivalent: -1 is below 0, too",
)
survivor(
    "throughput",
    "if max(busy_us.values(), default=0) <= 0:",
    "if max(busy_us.values(), default=0) == 0:",
    reason="equivalent: times are not negative",
)
