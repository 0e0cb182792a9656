"""Says nothing of a write that failed."""

KILLED_BY = ["a_full_disk_leaves_the_log_as_it_was"]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        with suppress(OSError):
            return super().append(batch, records)
        return self.end_offset
