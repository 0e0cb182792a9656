"""Knows a record by its value."""

KILLED_BY = ["equal_values_at_two_offsets_are_two_records"]


def deduplicate(deliveries, next_offset):
    new, seen = [], set()
    for partition, record in deliveries:
        if record.offset >= next_offset.get(partition, 0) and (partition, record.value) not in seen:
            seen.add((partition, record.value))
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
