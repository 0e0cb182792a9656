"""Wrong versions of `heal`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

STAYS = "running_instances_stay_and_only_wanted_ones_are_placed"
LOST = "lost_instances_go_to_the_least_busy_and_then_nearest_manager"
NOBODY = "without_managers_nothing_is_placed"

reference("heal")

mutant(
    "unwanted_are_kept",
    [STAYS, LOST],
    (
        "instance: running[instance]\n        for instance in nodes\n        if running.get(instance) in managers\n",
        "instance: manager for instance, manager in running.items() if manager in managers\n",
    ),
)
mutant(
    "distance_the_other_way_round",
    LOST,
    ("topology.distance[node][nodes[instance]]", "topology.distance[nodes[instance]][node]"),
)
mutant(
    "stays_with_the_dead",
    NOBODY,
    (
        "if managers else ():",
        "if managers else ():\n        pass\n    if not managers:\n        return dict(running)\n    for instance in sorted(nodes.keys() - placed.keys()):",
    ),
)

survivor(
    "heal",
    "for instance in sorted(nodes.keys() - placed.keys()) if managers else ():",
    "for instance in sorted(nodes.keys() ^ placed.keys()) if managers else ():",
    reason="equivalent: only instances of `nodes` are placed",
)
