"""Wrong versions of TopicClient, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

PUBLISHED = "foreign_consumers_read_what_it_publishes"
SHARED = "members_share_a_topic_and_every_group_reads_all_of_it"

reference("TopicClient")

mutant("value_as_key", PUBLISHED, ("key=key)", "key=value)"))
mutant("begins_at_the_end", SHARED, ('"auto_offset_reset": "earliest", ', ""))
survivor(
    "TopicClient",
    'settings = {"group_id": group, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 200}',
    'settings = {"group_id": group, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 201}',
    reason="equivalent: one ms more or less in how often a member reports or asks",
)
survivor(
    "TopicClient",
    'settings = {"group_id": group, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 200}',
    'settings = {"group_id": group, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 199}',
    reason="equivalent: one ms more or less in how often a member reports or asks",
)
survivor(
    "TopicClient",
    "for record in chain.from_iterable(consumer.poll(timeout_ms=200).values()):",
    "for record in chain.from_iterable(consumer.poll(timeout_ms= 201).values()):",
    reason="equivalent: one ms more or less in how often a member reports or asks",
)
survivor(
    "TopicClient",
    "for record in chain.from_iterable(consumer.poll(timeout_ms=200).values()):",
    "for record in chain.from_iterable(consumer.poll(timeout_ms= 199).values()):",
    reason="equivalent: one ms more or less in how often a member reports or asks",
)
