"""Gives the batch that goes over the limit, too."""

KILLED_BY = [
    "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
    "reading_outside_the_log_says_where_it_begins_and_ends",
    "the_index_finds_an_offset_without_a_scan",
]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, 1 << 30 if max_bytes > 0 else max_bytes)
        sizes = [sum(len(each.data) for each in batches[:number]) for number in range(len(batches))]
        return [batch for batch, before in zip(batches, sizes, strict=True) if before < max_bytes]
