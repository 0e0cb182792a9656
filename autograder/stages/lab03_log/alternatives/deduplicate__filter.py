"""A function that says whether a delivery is new, and remembers it if it is."""


def deduplicate(deliveries, next_offset):
    def is_new(delivery):
        partition, record = delivery
        expected = next_offset.setdefault(partition, 0)
        next_offset[partition] = max(expected, record.offset + 1)
        return record.offset >= expected

    return list(filter(is_new, deliveries))
