"""Gives records in the order of partitions."""

KILLED_BY = ["offsets_of_two_partitions_say_nothing_of_each_other"]


deduplicate_as_they_came = deduplicate


def deduplicate(deliveries, next_offset):
    return sorted(deduplicate_as_they_came(deliveries, next_offset), key=lambda each: (each[0], each[1].offset))
