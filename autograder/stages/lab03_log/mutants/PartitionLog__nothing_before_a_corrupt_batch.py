"""Rejects a read that comes to a corrupt batch, and gives nothing of what is before it."""

KILLED_BY = ["a_corrupt_batch_is_never_given_out"]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        room = max_bytes - sum(len(each.data) for each in batches)
        after = batches[-1].base_offset + batches[-1].records if batches else self.end_offset
        if room > 0 and after < self.end_offset:
            super().read(after, room)
        return batches
