"""Wrong versions of consume, deduplicate, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

CALM = "without_a_crash_every_record_is_handled_once_in_order"
BEFORE = "commit_before_loses_unhandled_records_in_a_crash"
AFTER = "commit_after_repeats_uncommitted_records_after_a_crash"
ANOTHER = "any_other_commit_argument_raises_value_error"
CHAIN = "the_log_feeds_the_trends_of_your_lab_2"
ONCE = "a_repeated_record_is_applied_once"
EQUAL = "equal_values_at_two_offsets_are_two_records"
PARTITIONS = "partitions_are_deduplicated_independently"

reference("consume")

mutant(
    "rejected_after_the_first_read",
    ANOTHER,
    ("    if commit not in", "    log.read(offsets.committed(), max_bytes)\n    if commit not in"),
)
mutant(
    "ascii_values_only",
    CHAIN,
    (
        "            handle(record)",
        "            if record.value is None or record.value.isascii():\n                handle(record)",
    ),
)
mutant(
    "ends_where_the_log_ended_at_first",
    CALM,
    ("    while batches :=", "    end = log.end_offset\n    while position < end and (batches :="),
    ("read(position, max_bytes):", "read(position, max_bytes)):"),
)
mutant("skips_empty_values", CALM, ("if each.offset >= position]", "if each.offset >= position and each.value]"))
mutant("handles_whole_batches", [CALM, BEFORE, AFTER], (" if each.offset >= position", ""))
mutant(
    "errors_are_swallowed",
    [BEFORE, AFTER],
    ("            handle(record)", "            with suppress(Exception):\n                handle(record)"),
)

reference("deduplicate")

mutant(
    "remembers_each_offset",
    ONCE,
    ("new = []", "new, seen, first = [], set(), dict(next_offset)"),
    (
        "if record.offset >= next_offset.get(partition, 0)",
        "if record.offset >= first.get(partition, 0) and (partition, record.offset) not in seen",
    ),
    (
        "next_offset[partition] = record.offset + 1",
        "seen.add((partition, record.offset))\n            next_offset[partition] = max(record.offset + 1, next_offset.get(partition, 0))",
    ),
)
mutant("skips_deleted", EQUAL, ("get(partition, 0):", "get(partition, 0) and record.value is not None:"))
mutant("waits_for_gaps", [ONCE, PARTITIONS], (">= next_offset", "== next_offset"))
mutant(
    "partitions_mixed_up",
    PARTITIONS,
    ("new = []", "new, seen = [], set()"),
    ("get(partition, 0):", "get(partition, 0) and record.offset not in seen:\n            seen.add(record.offset)"),
)
survivor(
    "consume",
    'if commit == "after":',
    'if commit <= "after":',
    reason='equivalent: only before and after get this far, and "before" sorts after "after"',
)
survivor(
    "consume",
    'if commit == "before":',
    'if commit >= "before":',
    reason="equivalent: only before and after get this far, and after comes before before",
)
survivor(
    "deduplicate",
    "if record.offset >= next_offset.get(partition, 0):",
    "if record.offset >= next_offset.get(partition, -1):",
    reason="equivalent: no offset is below 0",
)
