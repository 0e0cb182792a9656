"""Wrong answers to lab03_log that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference

reference("PartitionLog")

# Syncs the folder only once, for the first segment; breaks "flush(): … and the folder (`sync_folder`) if a segment
# file is new"
mutant(
    "folder_once",
    "offsets_rise_by_one_without_gaps_or_repeats",
    (
        "        sync_folder(self._folder)  # a new",
        "        if base_offset == 0:\n            sync_folder(self._folder)  # a new",
    ),
)

# At end_offset returns [] before it looks at max_bytes; breaks "Raises ValueError if … max_bytes is below 1"
# (rejected before anything is done)
mutant(
    "max_bytes_zero",
    "invalid_sizes_and_retentions_raise_value_error",
    (
        "        if max_bytes < 1:",
        "        if offset == self.end_offset:\n            return []\n        if max_bytes < 1:",
    ),
)

reference("Segment")

# Undoes the write only if the file fails, not if the index fails; breaks "append raises OSError if the file or the
# index does; then the file has its old length"
mutant(
    "index_failure",
    "a_full_disk_leaves_the_segment_unchanged",
    ("            self._count_batch(header)\n        except", "        except"),
    (
        "            raise\n        return offset",
        "            raise\n        self._count_batch(header)\n        return offset",
    ),
)

# Yields the batch that ends just before `offset` (>= for >); breaks "from the batch that holds `offset` on"
mutant(
    "not_skipped",
    "batches_start_with_the_one_that_holds_the_offset",
    ("stored.header.records > offset", "stored.header.records >= offset"),
)

reference("assign")

# Of two claims the last name wins; breaks "the one that comes first alphabetically owned it"
mutant(
    "claim_last",
    "a_rebalance_moves_as_few_partitions_as_possible",
    (
        "for name in sorted(members):\n        kept[name] = sorted(free.intersection",
        "for name in sorted(members, reverse=True):\n        kept[name] = sorted(free.intersection",
    ),
)

# A member that left and comes first alphabetically still owns what it claims; breaks "ignore members that left"
mutant(
    "ghost_owner",
    "a_rebalance_moves_as_few_partitions_as_possible",
    ("    for name in sorted(members):", "    for name in sorted({*members, *previous}):"),
    ("    least, one_more", "    kept = {name: kept[name] for name in members}\n    least, one_more"),
)

reference("consume")

# Handles records below the position again; breaks "skip the records below the position"
mutant(
    "no_skip",
    [
        "without_a_crash_every_record_is_handled_once_in_order",
        "commit_before_loses_unhandled_records_in_a_crash",
        "commit_after_repeats_uncommitted_records_after_a_crash",
    ],
    (" if each.offset >= position]", "]"),
)

# Returns the number of records from offset 0 on (the position), not of this call; breaks "return how many this call
# handled"
mutant(
    "returns_position",
    [
        "without_a_crash_every_record_is_handled_once_in_order",
        "commit_before_loses_unhandled_records_in_a_crash",
        "commit_after_repeats_uncommitted_records_after_a_crash",
    ],
    ("return handled", "return position"),
)


# Counts on (next = records applied), so a gap lets a repeat pass; breaks "set it to the offset after it"
@mutant("zero_falsy", ["a_repeated_record_is_applied_once", "partitions_are_deduplicated_independently"])
def deduplicate(deliveries: Iterable[tuple[int, Record]], next_offset: dict[int, int]) -> list[tuple[int, Record]]:
    new = []
    for partition, record in deliveries:
        first = next_offset[partition] if partition in next_offset else 0
        if record.offset < first:
            continue
        new += [(partition, record)]
        next_offset[partition] = first + 1
    return new


# The left bytes with the most significant first; breaks "as a number r whose least significant byte comes first"
@mutant("tail_big", "a_key_gets_the_partition_that_kafka_chooses")
def partition_for(key: bytes, partitions: int) -> int:
    def i32(x):
        return (x + 2**31) % 2**32 - 2**31

    def shr(x, n):
        return (x % 2**32) >> n

    m, n = 0x5BD1E995, len(key)
    h = i32(0x9747B28C ^ n)
    for (k,) in struct.iter_unpack("<i", key[: n // 4 * 4]):
        k = i32(k * m)
        k = i32((k ^ shr(k, 24)) * m)
        h = i32(i32(h * m) ^ k)
    tail = key[n // 4 * 4 :]
    if tail:
        h = i32(i32(h ^ int.from_bytes(tail, "big")) * m)
    h = i32((h ^ shr(h, 13)) * m)
    h ^= shr(h, 15)
    return (i32(h) & 0x7FFFFFFF) % partitions
