"""Keeps where to go on to itself."""

KILLED_BY = [
    "what_comes_again_is_applied_once",
    "equal_values_at_two_offsets_are_two_records",
    "offsets_of_two_partitions_say_nothing_of_each_other",
]


deduplicate_in_place = deduplicate


def deduplicate(deliveries, next_offset):
    return deduplicate_in_place(deliveries, dict(next_offset))
