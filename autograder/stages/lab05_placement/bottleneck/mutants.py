"""Wrong versions of throughput, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

BUSIEST = "the_busiest_instance_bounds_the_rate"
WEIGHS = "distance_weighs_memory_and_not_computing"
UNPLACED = "an_unplaced_sender_writes_where_it_is_read"
NOBODY = "rates_that_keep_nobody_busy_raise_value_error"

reference("throughput")

mutant(
    "weighs_computing_too",
    [WEIGHS, BUSIEST, UNPLACED, NOBODY],
    ("(cpu_us + memory_us * distance / 10)", "(cpu_us + memory_us) * distance / 10"),
)
mutant(
    "source_writes_for_free",
    UNPLACED,
    ("memory_us * distance / 10", "memory_us * distance / 10 * (sender in placement)"),
)

mutant(
    "links_without_tuples_are_skipped",
    NOBODY,
    (
        "        here = placement.get(receiver)",
        "        if not tuples:\n            continue\n        here = placement.get(receiver)",
    ),
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
