# wrong: counts on (next = records applied), so a gap lets a repeat pass; breaks "set it to the offset after it"
# caught by: a_repeated_record_is_applied_once, partitions_are_deduplicated_independently
def deduplicate(
    deliveries: Iterable[tuple[int, Record]], next_offset: dict[int, int]
) -> list[tuple[int, Record]]:
    new = []
    for partition, record in deliveries:
        first = next_offset[partition] if partition in next_offset else 0
        if record.offset < first:
            continue
        new += [(partition, record)]
        next_offset[partition] = first + 1
    return new
