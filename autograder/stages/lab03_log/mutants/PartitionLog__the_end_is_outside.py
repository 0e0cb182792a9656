"""Rejects to read at the end, where the next record will be."""

KILLED_BY = ["reading_outside_the_log_says_where_it_begins_and_ends"]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        if offset == self.end_offset:
            raise OffsetOutOfRange(offset, self.start_offset, self.end_offset)
        return super().read(offset, max_bytes)
