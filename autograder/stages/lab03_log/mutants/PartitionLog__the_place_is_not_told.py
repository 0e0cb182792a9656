"""Says that a batch is corrupt, and not where."""

KILLED_BY = ["a_corrupt_batch_is_never_given_out"]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        try:
            return super().read(offset, max_bytes)
        except CorruptBatch:
            raise CorruptBatch("a batch is corrupt") from None
