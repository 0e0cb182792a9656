"""Applies an offset only if it is the next one."""

KILLED_BY = ["what_comes_again_is_applied_once", "offsets_of_two_partitions_say_nothing_of_each_other"]


def deduplicate(deliveries, next_offset):
    new = []
    for partition, record in deliveries:
        if record.offset == next_offset.get(partition, 0):
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
