"""Begins a read with the first batch that begins at the offset or behind it."""

KILLED_BY = ["a_read_gives_whole_batches_from_the_one_that_holds_the_offset"]


class PartitionLog(PartitionLog):
    def _from(self, offset):
        return ((header, whole) for header, whole in super()._from(offset) if header.base_offset >= offset)
