"""Wrong versions of `batch_of_shard`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

EVENTS = "a_batch_gives_the_events_that_its_watermark_has_reached"
NEXT = "the_next_batch_goes_on_with_what_was_kept"
REFUSED = "one_shard_reports_an_unreadable_record"

reference("batch_of_shard")

mutant(
    "order_of_arrival",
    [EVENTS, NEXT],
    ("ready, waiting, _ = in_order(waiting, arrived, done_ms, watermark_ms)", "ready = arrived"),
)
mutant(
    "late_positions_move",
    NEXT,
    ("ready, waiting, _ = in_order(", "ready, waiting, late = in_order("),
    ("for row in ready:", "for row in ready + late:"),
)
mutant("the_first_shard_reports_all", REFUSED, ('topic == "positions" or reports_fences', "reports_fences"))

survivor(
    "batch_of_shard",
    "waiting, done_ms, watch_state = kept or ([], -1, None)",
    "waiting, done_ms, watch_state = kept or ([], - 2, None)",
    reason="equivalent: no time is negative",
)
survivor(
    "batch_of_shard",
    "waiting, done_ms, watch_state = kept or ([], -1, None)",
    "waiting, done_ms, watch_state = kept or ([], ~1, None)",
    reason="equivalent: no time is negative",
)
survivor(
    "batch_of_shard",
    'if topic == "positions" or reports_fences:',
    'if topic >= "positions" or reports_fences:',
    reason="equivalent: the topic is one of two",
)
