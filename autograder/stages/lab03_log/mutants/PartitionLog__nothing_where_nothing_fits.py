"""Gives nothing where the first batch is larger than there is room for."""

KILLED_BY = [
    "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
    "the_index_finds_an_offset_without_a_scan",
    "an_index_that_does_not_fit_its_log_is_made_anew",
]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        return [] if batches and len(batches[0].data) > max_bytes else batches
