"""Wrong versions of place, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, survivor

CORE = "each_instance_has_a_core_to_itself"
SETTLED = "no_move_and_no_swap_would_be_cheaper"
SMALL = "small_placements_are_within_3_percent_of_the_optimum"
LARGE = "large_placements_keep_up_with_a_graph_partitioner"
SAME = "the_same_input_gives_the_same_placement"
TOO_MANY = "more_instances_than_cores_raise_value_error"
FAST = "gains_are_faster_than_whole_costs"
ROUTED = "rows_routed_by_your_lab_4_are_placed_near"

mutant(
    "full_nodes_take_more",
    [CORE, SETTLED, SMALL, LARGE, SAME, TOO_MANY, ROUTED],
    ("nodes = [node for node in free if free[node]]", "nodes = [node for node in free if topology.cores[node]]"),
    of="greedy",
    task="place",
)
mutant(
    "swaps_without_moves",
    SETTLED,
    ("placement[instance] = cheapest(instance)", "cheapest(instance)"),
    of="improve",
    task="place",
)
mutant(
    "most_expensive_of_all",
    SMALL,
    ("return min(placements, key", "return max(placements, key"),
    of="place",
)
mutant("unseeded", SAME, ("random.Random(len(instances))", "random.Random()"), of="place")
mutant(
    "as_many_as_fit",
    TOO_MANY,
    (
        'raise ValueError(f"{len(instances)} instances need a core each, and there are {len(slots)} cores")',
        "instances = instances[: len(slots)]\n"
        "        traffic = {pair: x for pair, x in traffic.items() if set(pair) <= set(instances)}",
    ),
    of="place",
)


mutant(
    "whole_cost_of_each_try",
    FAST,
    (
        "        for a, b in combinations(placement, 2):",
        "        paid = cost(placement, traffic, topology)\n        for a, b in combinations(placement, 2):",
    ),
    (
        "swap_gain(a, b, placement, links, topology) > 0",
        "(tried := cost({**placement, a: placement[b], b: placement[a]}, traffic, topology)) < paid",
    ),
    (
        "placement[a], placement[b] = placement[b], placement[a]",
        "placement[a], placement[b], paid = placement[b], placement[a], tried",
    ),
    of="improve",
    task="place",
)


# The baselines of streamlab.lab05_placement.numa ignore traffic.
@mutant("round_robin", [CORE, SETTLED, SMALL, LARGE, SAME, TOO_MANY, ROUTED])
def place(instances, traffic, topology, starts=8):
    return round_robin(instances, topology)


survivor(
    "place",
    "placements += [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts - 1)]",
    "placements += [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts - 2)]",
    reason="not prescribed: the cheapest of one start more or less",
)
survivor(
    "place",
    "placements += [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts - 1)]",
    "placements += [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts | 1)]",
    reason="not prescribed: the cheapest of one start more or less",
)
survivor(
    "place",
    "if placement[a] != placement[b] and swap_gain(a, b, placement, links, topology) > 0:",
    "if placement[a] != placement[b] and swap_gain(a, b, placement, links, topology) >= 0:",
    reason="equivalent for the promise: a swap that gains nothing costs nothing, and a round that gains nothing is the last",
)
survivor(
    "place",
    "while before is None or now < before: # each round must lower the cost, so this ends",
    "while before is None or now != before: # each round must lower the cost, so this ends",
    reason="equivalent: no round raises the cost",
)
