"""Wrong versions of place, each with the checks that must catch it."""

import random
from itertools import combinations

from autograder.checks.mutant_markers import mutant, reference, survivor
from streamlab.lab05_placement.numa import Links

CORE = "each_instance_has_a_core_to_itself"
SETTLED = "no_move_and_no_swap_would_be_cheaper"
SMALL = "small_placements_are_within_3_percent_of_the_optimum"
LARGE = "large_placements_keep_up_with_a_graph_partitioner"
SAME = "the_same_input_gives_the_same_placement"
TOO_MANY = "more_instances_than_cores_raise_value_error"
MODEL = "in_the_model_it_is_faster_than_round_robin"
FAST = "gains_are_faster_than_whole_costs"
ROUTED = "rows_routed_by_your_lab_4_are_placed_near"

reference("place")

# A round in which one instance after the other settles, and no second round.
mutant(
    "one_round",
    [SETTLED, LARGE, MODEL, SAME, ROUTED],
    ("while before is None or now < before:", "while before is None:"),
)
mutant("no_look_for_one_node", CORE, ("if len(cores) >= len(instances):", "if False:"))
mutant("unseeded", SAME, ("random.Random(len(instances))", "random.Random()"))
mutant(
    "as_many_as_fit",
    TOO_MANY,
    (
        'raise ValueError(f"{len(instances)} instances do not fit on {len(slots)} cores")',
        "instances = instances[: len(slots)]\n"
        "        traffic = {pair: x for pair, x in traffic.items() if set(pair) <= set(instances)}",
    ),
)


# The step is right, but each try computes two whole costs.
@mutant("whole_cost_of_each_try", FAST)
def place(instances, traffic, topology, starts=8):
    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(instances) > len(slots):
        raise ValueError("too few cores")
    for node, cores in topology.cores.items():
        if len(cores) >= len(instances):
            return dict.fromkeys(instances, node)
    links, rng = Links(traffic), random.Random(len(instances))
    placements = [first_placement(instances, links, topology)]
    placements += [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts - 1)]
    for placement in placements:
        settled = False
        while not settled:
            settled = True
            for step in steps(placement, topology):
                after = {**placement, **step}
                if cost(after, traffic, topology) < cost(placement, traffic, topology):
                    placement.update(step)
                    settled = False
    return min(placements, key=lambda placement: cost(placement, traffic, topology))


def steps(placement, topology):
    for instance in placement:
        for node, cores in topology.cores.items():
            if list(placement.values()).count(node) < len(cores):
                yield {instance: node}
    for a, b in combinations(placement, 2):
        if placement[a] != placement[b]:
            yield {a: placement[b], b: placement[a]}


# METIS is installed for the experiments.
@mutant("by_metis", [CORE, SETTLED, SMALL, LARGE, MODEL, SAME, TOO_MANY, ROUTED])
def place(instances, traffic, topology, starts=8):
    from streamlab.lab05_placement.numa.metis import metis

    if len(instances) > sum(map(len, topology.cores.values())):
        raise ValueError("too few cores")
    return metis(instances, traffic, topology)


survivor(
    "place",
    "placements[0] = first_placement(instances, links, topology)",
    "placements[ -1] = first_placement(instances, links, topology)",
    reason="equivalent: the order of the starts does not matter",
)
survivor(
    "place",
    "dict(zip(instances, rng.sample(slots, len(instances)), strict=True))",
    "dict(zip(instances, rng.sample(slots, len(instances)), strict=False))",
    reason="equivalent: both have one length here",
)
survivor(
    "place",
    "while before is None or now < before:",
    "while before is None or now != before:",
    reason="equivalent: no round raises the cost",
)
