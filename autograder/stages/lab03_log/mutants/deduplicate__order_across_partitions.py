"""Assumes that offsets rise across partitions."""

KILLED_BY = ["offsets_of_two_partitions_say_nothing_of_each_other"]


def deduplicate(deliveries, next_offset):
    new, last = [], -1
    for partition, record in deliveries:
        if record.offset >= next_offset.get(partition, 0) and record.offset > last:
            last = record.offset
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
