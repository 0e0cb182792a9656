"""Keeps the first offset that is committed for a partition."""

KILLED_BY = ["committed_offsets_stay_when_their_member_goes"]


class Membership(Membership):
    def commit(self, partition, offset):
        if offset < 0 or not self.committed(partition):
            super().commit(partition, offset)
