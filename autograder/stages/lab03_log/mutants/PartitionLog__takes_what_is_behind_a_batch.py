"""Takes a batch with more bytes than it says, and leaves the rest out."""

KILLED_BY = ["what_is_no_whole_batch_is_refused_and_writes_nothing"]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        return super().append(batch[: header.size_bytes] if header else batch, records)
