"""Wrong versions of `push`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

EVENTS = "events_are_those_of_the_logs_in_event_time"
LATE = "a_late_fence_takes_effect_and_a_late_position_does_not"
REFUSED = "an_unreadable_record_is_reported_once"
KILLED = "a_killed_job_emits_every_event_once"
GROUPS = "each_shard_is_one_group"
PARTITIONS = "positions_in_the_partitions_of_your_own_lab_3_give_the_same_events"
TABLE = "the_table_of_your_own_lab_3_holds_every_event_once"

reference("push")

# The rows that wait at the end of a shard never come out.
mutant("no_time_out", [EVENTS, LATE, KILLED, PARTITIONS, TABLE], ("        if kept[0]:\n", "        if False:\n"))
mutant("every_shard_reports", REFUSED, ("key[0] == 0)", "True)"))

# A group for (nearly) every mover: the events are right, and each batch calls Python hundreds of times.
mutant(
    "a_group_for_each_mover",
    GROUPS,
    ("F.array(*map(F.lit, range(shards)))", "F.sequence(F.lit(0), F.lit(99))"),
    ('F.pmod(F.hash("key"), F.lit(shards))', 'F.pmod(F.hash("key"), F.lit(100))'),
)
