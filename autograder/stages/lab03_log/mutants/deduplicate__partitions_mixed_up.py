"""Takes an offset for one, whichever partition it is of."""

KILLED_BY = ["offsets_of_two_partitions_say_nothing_of_each_other"]


def deduplicate(deliveries, next_offset):
    new, seen = [], set()
    for partition, record in deliveries:
        if record.offset >= next_offset.get(partition, 0) and record.offset not in seen:
            seen.add(record.offset)
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
