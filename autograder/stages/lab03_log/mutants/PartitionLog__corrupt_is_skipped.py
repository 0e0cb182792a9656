"""Leaves a corrupt batch out of what is read, and goes on behind it."""

KILLED_BY = ["a_corrupt_batch_is_never_given_out"]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        while True:
            try:
                return super().read(offset, max_bytes)
            except CorruptBatch:
                offset += 1
